"""Runs the command-line tool. What the tests here have in common."""

import contextlib
import fcntl
import json
import os
import pty
import select
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

BALLAST = os.environ["BALLAST"]
FIXTURES = os.environ["BALLAST_FIXTURES"]
LLAMA = f"{FIXTURES}/checkpoints/llama_mha_f32"
SHARDED = f"{FIXTURES}/checkpoints/llama_gqa_bf16_sharded"
OLD_NAMES = f"{FIXTURES}/checkpoints/llama_old_names"
GGUF = f"{FIXTURES}/checkpoints/llama_gguf_q4_1"


def run(*arguments, **options):
    """The finished process; its output as text where that is UTF-8."""
    return subprocess.run([BALLAST, *arguments], capture_output=True, text=True, timeout=120, **options)


def document(text):
    """The JSON document that the text is, without a key twice."""
    def once(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), f"a key twice: {keys}"
        return dict(pairs)
    return json.loads(text, object_pairs_hook=once)


@contextlib.contextmanager
def copy_of(checkpoint):
    """A folder with a copy of a checkpoint, to be damaged."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "checkpoint")
        shutil.copytree(checkpoint, path)
        yield path


@contextlib.contextmanager
def large_checkpoint(gigabytes):
    """A Llama whose weights, mostly its embedding, are a hole in a sparse file."""
    dim, inter = 2048, 2048
    vocab = int(gigabytes * 1e9 / 4 / dim)
    tensors = {"model.embed_tokens.weight": (vocab, dim), "model.norm.weight": (dim,)}
    layer = {"self_attn.q_proj": (dim, dim), "self_attn.k_proj": (dim, dim), "self_attn.v_proj": (dim, dim),
             "self_attn.o_proj": (dim, dim), "mlp.gate_proj": (inter, dim), "mlp.up_proj": (inter, dim),
             "mlp.down_proj": (dim, inter), "input_layernorm": (dim,), "post_attention_layernorm": (dim,)}
    tensors.update({f"model.layers.0.{name}.weight": shape for name, shape in layer.items()})
    header, at = {}, 0
    for name, shape in tensors.items():
        size = 4
        for extent in shape:
            size *= extent
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    config = {"model_type": "llama", "hidden_size": dim, "intermediate_size": inter, "num_hidden_layers": 1,
              "num_attention_heads": 32, "vocab_size": vocab, "tie_word_embeddings": True}
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/config.json", "w", encoding="utf-8") as file:
            json.dump(config, file)
        with open(f"{folder}/model.safetensors", "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            file.truncate(8 + len(text) + at)
        yield folder


def on_terminal(*arguments, columns=80, environment=None):
    """Exit status, and what a terminal of so many columns got from both streams."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([BALLAST, *arguments], stdin=slave, stdout=slave, stderr=slave,
                               env={**os.environ, "TERM": "xterm", **(environment or {})})
    os.close(slave)
    output = b""
    while True:
        if not select.select([master], [], [], 120)[0]:
            process.kill()
            raise TimeoutError
        try:
            part = os.read(master, 65536)
        except OSError:  # how Linux says that the other end is closed
            part = b""
        if not part:
            break
        output += part
    os.close(master)
    return process.wait(), output.decode()


class CliTest(unittest.TestCase):
    maxDiff = None

    def succeed(self, *arguments, **options):
        result = run(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout
