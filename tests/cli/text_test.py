"""What a person reads: the parts of it that do not change from run to run."""

import re
import unittest

from running import FIXTURES, GGUF, LLAMA, OLD_NAMES, SHARDED, CliTest

LOAD = """\
transformer_layer_{0..1}  2 alike
  qkv_w            bfloat16  [96, 64]   12.3 kB  model.layers.{0..1}.self_attn.{q,k,v}_proj.weight
  attn_out_w       bfloat16  [64, 64]    8.2 kB  model.layers.{0..1}.self_attn.o_proj.weight
  attn_norm_gamma  bfloat16  [64]         128 B  model.layers.{0..1}.input_layernorm.weight
  mlp_norm_gamma   bfloat16  [64]         128 B  model.layers.{0..1}.post_attention_layernorm.weight
  mlp_1_w          bfloat16  [192, 64]  24.6 kB  model.layers.{0..1}.mlp.{gate,up}_proj.weight
  mlp_2_w          bfloat16  [64, 96]   12.3 kB  model.layers.{0..1}.mlp.down_proj.weight
non_transformer
  word_emb         bfloat16  [97, 64]   12.4 kB  model.embed_tokens.weight
  word_unembed     bfloat16  [97, 64]   12.4 kB  lm_head.weight
  final_norm       bfloat16  [64]         128 B  model.norm.weight
"""


class Text(CliTest):
    def test_load_folds_layers(self):
        text = self.succeed("load", SHARDED)
        self.assertIn(LOAD, text)
        self.assertRegex(text, r"read +\d+\.\d kB of \d+\.\d kB needed, each byte once")
        self.assertRegex(text, r"time +.*: open .* ms, bind .*, plan .*, read and place ")
        self.assertRegex(text, r"memory +\d+\.\d MB at the most: the arena and ")

    def test_load_of_all_ranks_folds_ranks(self):
        text = self.succeed("load", SHARDED, "--tp-size", "4", "--tp-rank", "all")
        self.assertIn("llama, all 4 ranks\n", text)
        self.assertEqual(re.findall(r"^rank (\S+) of 4$", text, re.MULTILINE), ["0", "{1..2}", "3"])
        self.assertRegex(text, r"mlp_1_w +bfloat16 +\[0, 64\] +0 B")
        self.assertRegex(text, r"read +(\d+\.\d kB) of \1 needed, each byte once")
        self.assertRegex(text, r"loaded .* in 4 arenas of ")

    def test_digests_of_all_ranks(self):
        text = self.succeed("load", SHARDED, "--tp-size", "2", "--tp-rank", "all", "--digest")
        parts = re.split(r"^SHA-256, rank (\d)$", text, flags=re.MULTILINE)
        self.assertEqual(parts[1::2], ["0", "1"])
        for rank, part in zip(parts[1::2], parts[2::2]):
            alone = self.succeed("load", SHARDED, "--tp-size", "2", "--tp-rank", rank, "--digest")
            lines = re.compile(r"^[0-9a-f]{64}  .*$", re.MULTILINE)
            self.assertEqual(lines.findall(part), lines.findall(alone))
            self.assertEqual(len(lines.findall(part)), 15)

    def test_tied_weights_say_so(self):
        text = self.succeed("load", f"{FIXTURES}/checkpoints/llama_tied_f16")
        self.assertRegex(text, r"word_unembed .*\(the memory of word_emb\)")

    def test_what_another_rank_holds(self):
        text = self.succeed("load", f"{FIXTURES}/checkpoints/bert_f32", "--tp-size", "2", "--tp-rank", "1")
        self.assertRegex(text, r"attn_out_b +none +not on this rank: encoder.layer.\{0..1\}.attention.output.dense.bias")

    def test_an_optional_parameter_that_is_absent(self):
        text = self.succeed("load", f"{FIXTURES}/checkpoints/bert_mlm_f16")
        self.assertRegex(text, r"pooler_w +none +not in this checkpoint")

    def test_skipped_names(self):
        self.assertIn("2 tensors on purpose (--verbose lists them)", self.succeed("load", OLD_NAMES))
        self.assertIn("model.layers.{0..1}.self_attn.rotary_emb.inv_freq: ",
                      self.succeed("load", OLD_NAMES, "--verbose"))

    def test_digests_list_every_parameter(self):
        lines = re.findall(r"^[0-9a-f]{64}  (\S+) +float32 \[", self.succeed("load", LLAMA, "--digest"), re.MULTILINE)
        self.assertEqual(len(lines), 15)
        self.assertIn("transformer_layer_1.mlp_2_w", lines)

    def test_inspect_folds_names(self):
        text = self.succeed("inspect", GGUF)
        self.assertIn("blk.{0..1}.attn_norm.weight", text)
        self.assertNotIn("blk.0.", text)
        everything = self.succeed("inspect", GGUF, "--all")
        self.assertIn("blk.0.attn_norm.weight", everything)
        self.assertIn("blk.1.attn_norm.weight", everything)

    def test_inspect_says_which_file(self):
        text = self.succeed("inspect", SHARDED)
        self.assertIn("3 files", text)
        self.assertRegex(text, r"lm_head.weight +BF16 +\[97, 64\] +12.4 kB +file \d")

    def test_check_has_a_line_for_each_rank(self):
        text = self.succeed("check", SHARDED, "--tp-size", "4")
        self.assertEqual(re.findall(r"^  rank (\d)  ok ", text, re.MULTILINE), ["0", "1", "2", "3"])

    def test_plan_totals(self):
        text = self.succeed("plan", SHARDED)
        self.assertRegex(text, r"transformer_layer_\{0..1\}  at 0, then every [\d,]+ bytes")
        for label in ("to read", "straight into place", "through staging", "arena", "scratch", "copies"):
            self.assertIn(label, text)
        self.assertNotIn("Copies", text)
        self.assertIn("Copies", self.succeed("plan", SHARDED, "--all"))

    def test_lines_fit_in_100_columns(self):
        for command in ("check", "load", "plan", "inspect"):
            for line in self.succeed(command, GGUF).splitlines()[1:]:
                self.assertLessEqual(len(line), 100, line)


if __name__ == "__main__":
    unittest.main()
