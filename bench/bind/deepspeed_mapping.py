#!/usr/bin/env python3
"""DeepSpeed's own mapping of the names that bench_bind binds: its ContainerMap, LayerContainer and ParameterBase,
imported from the installed package, with a container declared for DeepSeek-V3 in its syntax.

Every value is the same empty tensor and no parameter is made of anything, so that what is timed is where names go and
when parameters are complete. Needs torch and deepspeed (tests/fixtures/requirements-deepspeed.txt); no GPU.

    python3 bench/bind/deepspeed_mapping.py [--repeat 5]
"""

import argparse
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "fixtures"))
import deepspeed_shim  # noqa: E402,F401  (makes deepspeed importable without a GPU)
import torch  # noqa: E402
from deepspeed.inference.v2.model_implementations.inference_policy_base import ContainerMap  # noqa: E402
from deepspeed.inference.v2.model_implementations.layer_container_base import LayerContainer  # noqa: E402
from deepspeed.inference.v2.model_implementations.parameter_base import ParameterBase, ParamList  # noqa: E402

DENSE_LAYERS, EXPERTS = 3, 256
NAMES = 91991


class Model:
    n_experts = EXPERTS


class Plain(ParameterBase):
    params: torch.Tensor

    def finalize(self):
        return None


class Scaled(ParameterBase):
    params: torch.Tensor
    scales: torch.Tensor

    def finalize(self):
        return None


class Gated(ParameterBase):
    gate: torch.Tensor
    up: torch.Tensor
    gate_scales: torch.Tensor
    up_scales: torch.Tensor

    def finalize(self):
        return None


class GatedExperts(ParameterBase):
    gates: ParamList("n_experts")
    ups: ParamList("n_experts")
    gate_scales: ParamList("n_experts")
    up_scales: ParamList("n_experts")

    def finalize(self):
        return None


class Experts(ParameterBase):
    downs: ParamList("n_experts")
    scales: ParamList("n_experts")

    def finalize(self):
        return None


def scaled(source, parameter):
    return {f"{source}.weight": f"{parameter}.params", f"{source}.weight_scale_inv": f"{parameter}.scales"}


def gated(source, parameter, suffix=""):
    """Two projections and their scales; with a suffix "s" those of a list."""
    rules = {}
    for name in ("gate", "up"):
        rules[f"{source}.{name}_proj.weight"] = f"{parameter}.{name}{suffix}"
        rules[f"{source}.{name}_proj.weight_scale_inv"] = f"{parameter}.{name}_scales"
    return rules


ATTENTION = {
    **scaled("self_attn.q_a_proj", "q_a_w"),
    "self_attn.q_a_layernorm.weight": "q_a_norm_gamma.params",
    **scaled("self_attn.q_b_proj", "q_b_w"),
    **scaled("self_attn.kv_a_proj_with_mqa", "kv_a_w"),
    "self_attn.kv_a_layernorm.weight": "kv_a_norm_gamma.params",
    **scaled("self_attn.kv_b_proj", "kv_b_w"),
    **scaled("self_attn.o_proj", "attn_out_w"),
    "input_layernorm.weight": "attn_norm_gamma.params",
    "post_attention_layernorm.weight": "mlp_norm_gamma.params",
}


class DenseLayer(LayerContainer):
    q_a_w: Scaled
    q_a_norm_gamma: Plain
    q_b_w: Scaled
    kv_a_w: Scaled
    kv_a_norm_gamma: Plain
    kv_b_w: Scaled
    attn_out_w: Scaled
    attn_norm_gamma: Plain
    mlp_norm_gamma: Plain
    mlp_1_w: Gated
    mlp_2_w: Scaled

    PARAM_MAPPING = {**ATTENTION, **gated("mlp", "mlp_1_w"), **scaled("mlp.down_proj", "mlp_2_w")}


class MoeLayer(LayerContainer):
    q_a_w: Scaled
    q_a_norm_gamma: Plain
    q_b_w: Scaled
    kv_a_w: Scaled
    kv_a_norm_gamma: Plain
    kv_b_w: Scaled
    attn_out_w: Scaled
    attn_norm_gamma: Plain
    mlp_norm_gamma: Plain
    moe_gate: Plain
    moe_gate_b: Plain
    moe_mlp_1: GatedExperts
    moe_mlp_2: Experts
    shared_moe_mlp_1: Gated
    shared_moe_mlp_2: Scaled

    PARAM_MAPPING = {
        **ATTENTION,
        "mlp.gate.weight": "moe_gate.params",
        "mlp.gate.e_score_correction_bias": "moe_gate_b.params",
        **gated("mlp.experts.*", "moe_mlp_1", "s"),
        "mlp.experts.*.down_proj.weight": "moe_mlp_2.downs",
        "mlp.experts.*.down_proj.weight_scale_inv": "moe_mlp_2.scales",
        **gated("mlp.shared_experts", "shared_moe_mlp_1"),
        **scaled("mlp.shared_experts.down_proj", "shared_moe_mlp_2"),
    }


class Rest(LayerContainer):
    word_emb: Plain
    final_norm: Plain
    word_unembed: Plain

    PARAM_MAPPING = {
        "model.embed_tokens.weight": "word_emb.params",
        "model.norm.weight": "final_norm.params",
        "lm_head.weight": "word_unembed.params",
    }


def layer_names(prefix, is_moe):
    """As bench_bind makes them."""
    def pair(name):
        return [f"{name}.weight", f"{name}.weight_scale_inv"]

    names = [f"{prefix}.input_layernorm.weight"]
    if is_moe:
        for expert in range(EXPERTS):
            for matrix in ("down_proj", "gate_proj", "up_proj"):
                names += pair(f"{prefix}.mlp.experts.{expert}.{matrix}")
        names += [f"{prefix}.mlp.gate.e_score_correction_bias", f"{prefix}.mlp.gate.weight"]
    mlp = f"{prefix}.mlp.shared_experts" if is_moe else f"{prefix}.mlp"
    for matrix in ("down_proj", "gate_proj", "up_proj"):
        names += pair(f"{mlp}.{matrix}")
    names += [f"{prefix}.post_attention_layernorm.weight", f"{prefix}.self_attn.kv_a_layernorm.weight"]
    for matrix in ("kv_a_proj_with_mqa", "kv_b_proj", "o_proj"):
        names += pair(f"{prefix}.self_attn.{matrix}")
    names.append(f"{prefix}.self_attn.q_a_layernorm.weight")
    for matrix in ("q_a_proj", "q_b_proj"):
        names += pair(f"{prefix}.self_attn.{matrix}")
    return names


def all_names(layers):
    names = ["lm_head.weight", "model.embed_tokens.weight"]
    for layer in range(layers + 1):
        names += layer_names(f"model.layers.{layer}", layer >= DENSE_LAYERS)
    for name in ("embed_tokens", "shared_head.head", "enorm", "hnorm", "shared_head.norm", "eh_proj"):
        names.append(f"model.layers.{layers}.{name}.weight")
    names.append("model.norm.weight")
    return names


def map_all(names, layers):
    """CPU seconds of mapping the names, and of making the containers before it."""
    value = torch.empty(0)
    start = time.process_time()
    containers = [(DenseLayer if layer < DENSE_LAYERS else MoeLayer)(Model()) for layer in range(layers)]
    container_map = ContainerMap()
    container_map.set_transformer_params(["model.layers"], containers)
    container_map.set_non_transformer_params(Rest(Model()))
    container_map.set_unmapped_params([f"model.layers.{layers}"])
    made = time.process_time()
    for name in names:
        container_map.map_param(name, value)
    container_map.validate()  # every parameter is complete, or this throws
    return time.process_time() - made, made - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="the fastest of so many runs counts (default: 5)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for layers in (10, 18, 32, 61, 120):
        names = all_names(layers)
        assert layers != 61 or len(names) == NAMES, len(names)
        best = min(map_all(names, layers) for _ in range(options.repeat))
        print(f"{layers:4} layers  {len(names):7} names  {best[0] * 1e3:8.1f} ms mapping  "
              f"{best[0] / len(names) * 1e9:6.0f} ns a name  (and {best[1] * 1e3:.1f} ms making containers)")


if __name__ == "__main__":
    main()
