"""The model: shape and weights as the suite's README defines them, run by ONNX Runtime."""

from __future__ import annotations

import itertools
from typing import Protocol

import numpy as np
import numpy.typing as npt
import onnxruntime
from kv_harness.data import mix
from onnx import TensorProto, helper, numpy_helper
from onnx.onnx_ml_pb2 import ModelProto, NodeProto
from onnx.onnx_ml_pb2 import TensorProto as Tensor

CARDINALITY = (100_000, 50_000, 20_000, 10_000, 3)
EMBEDDED = 16
DENSE = 8
BOTTOM = (DENSE, 128, 64, EMBEDDED)
TOP = (31, 256, 128, 1)

FIRST_OF_TOP = len(BOTTOM)
FIRST_TABLE = 16
"""Numbers of tensors: the README's."""

_OPSET = 17
_IR = 8

Floats = npt.NDArray[np.float32]


class Scoring(Protocol):
    """A model that can be asked, whatever runs it."""

    def scores(self, sparse: npt.NDArray[np.int64], dense: Floats) -> Floats:
        """Between 0 and 1 for each candidate; ``sparse`` is n × 5, ``dense`` n × 8."""


class Model:
    """Scores of candidates. One thread: what runs beside it is the event loop."""

    def __init__(self, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            graph().SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def scores(self, sparse: npt.NDArray[np.int64], dense: Floats) -> Floats:
        """Between 0 and 1 for each candidate; ``sparse`` is n × 5, ``dense`` n × 8."""
        (scores,) = self._session.run(["scores"], {"sparse": sparse, "dense": dense})
        return np.asarray(scores, np.float32)


def weights(tensor: int, rows: int, columns: int) -> Floats:
    """A matrix of the README's weights, ``rows`` × ``columns``."""
    numbers = np.arange(rows * columns, dtype=np.uint64) | np.uint64(tensor << 40)
    unit = (mix(numbers) >> np.uint64(11)).astype(np.float64) / float(1 << 53)
    bound = 0.5 if tensor >= FIRST_TABLE else float(np.sqrt(6.0 / columns))
    return ((2.0 * unit - 1.0) * bound).astype(np.float32).reshape(rows, columns)


def graph() -> ModelProto:
    """The model as ONNX."""
    parts = _Parts()
    dense = parts.network("bottom", 1, BOTTOM, "dense", last_is_linear=False)
    vectors = [dense, *(parts.embedding(table) for table in range(len(CARDINALITY)))]
    top = parts.products(vectors)
    logit = parts.network("top", FIRST_OF_TOP, TOP, top, last_is_linear=True)
    parts.node("Sigmoid", [logit], "probability")
    parts.shaped("probability", "scores", [-1])
    described = helper.make_graph(
        parts.nodes,
        "dlrm",
        [
            helper.make_tensor_value_info("sparse", TensorProto.INT64, ["n", len(CARDINALITY)]),
            helper.make_tensor_value_info("dense", TensorProto.FLOAT, ["n", DENSE]),
        ],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["n"])],
        parts.constants,
    )
    return helper.make_model(
        described, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR
    )


class _Parts:
    """Nodes and constants of a graph that is being put together."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[Tensor] = []

    def node(self, kind: str, inputs: list[str], output: str, **attributes: int) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def constant(self, name: str, values: npt.NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(values, name))
        return name

    def shaped(self, name: str, output: str, shape: list[int]) -> str:
        return self.node(
            "Reshape", [name, self.constant(f"{output}_shape", np.array(shape, np.int64))], output
        )

    def network(
        self, name: str, first: int, sizes: tuple[int, ...], values: str, *, last_is_linear: bool
    ) -> str:
        layers = list(itertools.pairwise(sizes))
        for number, (inputs, outputs) in enumerate(layers):
            matrix = weights(first + number, outputs, inputs).T
            matrix_name = self.constant(f"{name}_{number}", np.ascontiguousarray(matrix))
            values = self.node("MatMul", [values, matrix_name], f"{name}_{number}_sums")
            if not (last_is_linear and number == len(layers) - 1):
                values = self.node("Relu", [values], f"{name}_{number}_out")
        return values

    def embedding(self, table: int) -> str:
        vectors = self.constant(
            f"table_{table}", weights(FIRST_TABLE + table, CARDINALITY[table], EMBEDDED)
        )
        index = self.constant(f"column_{table}", np.array(table, np.int64))
        column = self.node("Gather", ["sparse", index], f"indices_{table}", axis=1)
        return self.node("Gather", [vectors, column], f"vectors_{table}", axis=0)

    def products(self, vectors: list[str]) -> str:
        """The first vector, and each one's product with those before it."""
        for vector in vectors:
            self.shaped(vector, f"{vector}_row", [-1, 1, EMBEDDED])
        rows = [f"{vector}_row" for vector in vectors]
        stack = self.node("Concat", rows, "stack", axis=1)
        turned = "stack_turned"
        self.nodes.append(helper.make_node("Transpose", [stack], [turned], perm=[0, 2, 1]))
        square = self.node("MatMul", [stack, turned], "square")
        count = len(vectors)
        flat = self.shaped(square, "square_flat", [-1, count * count])
        pairs = [i * count + j for i in range(count) for j in range(i)]
        chosen = self.constant("pairs", np.array(pairs, np.int64))
        products = self.node("Gather", [flat, chosen], "products", axis=1)
        return self.node("Concat", [vectors[0], products], "top_in", axis=1)
