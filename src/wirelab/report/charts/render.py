"""Panels as SVG: static, self-contained, readable by a screen reader."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree

import vl_convert

from wirelab.report.document import Panel

_SVG = "http://www.w3.org/2000/svg"
_NOISE = ("aria-hidden", "aria-label", "aria-roledescription", "role", "pointer-events", "class")
_REFERENCE = re.compile(r"url\(#(.+)\)")
_DECIMALS = re.compile(r"(\d+\.\d\d)\d+")

ElementTree.register_namespace("", _SVG)


def svg(panel: Panel, identifier: str) -> str:
    """The panel as an SVG element whose identifiers begin with ``identifier``.

    It carries its title and description, scales with the width it is given, and names no
    font file and no address.
    """
    drawn = ElementTree.fromstring(vl_convert.vegalite_to_svg(panel.spec))
    width, height = drawn.get("width", "0"), drawn.get("height", "0")
    # Vega numbers its clip paths through the life of the process: here they begin anew.
    names = {
        element.get("id", ""): f"{identifier}-{number}"
        for number, element in enumerate(e for e in drawn.iter() if e.get("id"))
    }
    for element in drawn.iter():
        _tidy(element, names)
    for name in ("width", "height", "version"):
        drawn.attrib.pop(name, None)
    drawn.set("viewBox", f"0 0 {width} {height}")
    drawn.set("role", "img")
    drawn.set("aria-labelledby", f"{identifier}-t {identifier}-d")
    title = ElementTree.Element(f"{{{_SVG}}}title", {"id": f"{identifier}-t"})
    title.text = panel.title
    description = ElementTree.Element(f"{{{_SVG}}}desc", {"id": f"{identifier}-d"})
    description.text = panel.description
    drawn.insert(0, title)
    drawn.insert(1, description)
    return ElementTree.tostring(drawn, encoding="unicode")


def _tidy(element: ElementTree.Element, names: Mapping[str, str]) -> None:
    """Drop what a picture of role ``img`` does not need; give identifiers their new names."""
    for name in _NOISE:
        element.attrib.pop(name, None)
    for name, value in list(element.attrib.items()):
        element.set(name, _tidied(name, value, names))


def _tidied(name: str, value: str, names: Mapping[str, str]) -> str:
    if name == "id":
        return names[value]
    if (reference := _REFERENCE.fullmatch(value)) is not None:
        return f"url(#{names[reference[1]]})"
    if name in ("d", "transform", "x", "y", "x2", "y2"):
        return _DECIMALS.sub(r"\1", value)
    return value
