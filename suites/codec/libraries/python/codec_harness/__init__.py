"""The codec suite in Python: pools, folds, loops, answers, and the talk with the core; no codec.

A contender says what it is and how it codes a shape, and calls ``serve``. What a worker of the
suite does is defined in the suite's ``README.md``.
"""

from codec_harness.codecs import Baseline, Codec, MessageCodec, Subject
from codec_harness.forms import DATACLASSES, MAPPINGS, Classes, Form, objects
from codec_harness.large import Large, in_base64
from codec_harness.natives import T1, T2, Author, Chat, Point, Position, Stroke, Telemetry
from codec_harness.worker import CodecContender, serve

__all__ = [
    "DATACLASSES",
    "MAPPINGS",
    "T1",
    "T2",
    "Author",
    "Baseline",
    "Chat",
    "Classes",
    "Codec",
    "CodecContender",
    "Form",
    "Large",
    "MessageCodec",
    "Point",
    "Position",
    "Stroke",
    "Subject",
    "Telemetry",
    "in_base64",
    "objects",
    "serve",
]
