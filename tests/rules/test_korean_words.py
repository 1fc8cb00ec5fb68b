"""One Korean word for each idea, in catalogues, manifests and pages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from korean_words import SECONDS, seconds_in, without_code

from wirelab.words.translation import read_catalogue

ROOT = Path(__file__).parents[2]
CATALOGUES = (
    ROOT / "src/wirelab/words/locale/ko.po",
    *sorted(ROOT.glob("suites/*/locale/ko.po")),
)
PAGES = (ROOT / "README.ko.md", *sorted(ROOT.glob("docs/**/*.ko.md")))
QUOTED = re.compile(
    r"(?:claims/\d+/text|title|(?:conditions|limits|fields|said|summary|advice|errors|judgements"
    r"|ownership)/.*)$"
)
"""Places of ``published.toml`` in a study's own words, which are its author's."""
PLAIN = {
    "최댓값",
    "최솟값",
    "가장 좋은 값",
    "피처",
    "권장",
    "각자",
    "요청 속도",
    "게이트웨이",
    "레플리카",
    "수와 % 사이의 빈칸",
    "오리진",
    "매개변수",
    "응답 클라이언트",
    "별도의 샌드박스",
    "블로킹",
    "효과가 있을 수 있는 부하",
    "디스크에 저장하는 메시지",
    "연구만 가리킴",
    "내장 브로커",
    "토픽",
    "검증 생략",
    "압축 윈도",
    "락",
    "엔드포인트",
}
"""Words to use that are no terms: spelling, or words that the language has anyway."""
TEMPLATE = re.compile(r"`[^`]*`|\{\w*(?:[:!][^}]*)?\}")


def catalogue_texts(path: Path) -> Iterator[tuple[str, str]]:
    """English and Korean of every message."""
    for message in read_catalogue(path):
        if message.id:
            forms = zip(_forms(message.id), _forms(message.string), strict=False)
            yield from ((english, TEMPLATE.sub("·", korean)) for english, korean in forms)


def manifest_texts(node: Any, within: tuple[str, ...] = ()) -> Iterator[tuple[str, str, str]]:
    """Place, English and Korean of every text in two languages."""
    if isinstance(node, dict):
        if isinstance(node.get("ko"), str):
            yield "/".join(within), str(node.get("en", "")), node["ko"]
        for key, value in node.items():
            yield from manifest_texts(value, (*within, key))
    elif isinstance(node, list):
        for at, value in enumerate(node):
            yield from manifest_texts(value, (*within, str(at)))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: str(path.relative_to(ROOT)))
def test_catalogues_have_one_word_for_each_idea(path: Path) -> None:
    found = list(catalogue_texts(path))
    assert len(found) > 40
    wrong = {korean: said for english, korean in found if (said := seconds_in(korean, english))}
    assert wrong == {}


def test_manifests_have_one_word_for_each_idea() -> None:
    found = [
        (f"{path.relative_to(ROOT)}: {place}", english, korean)
        for path in sorted(ROOT.glob("suites/**/*.toml"))
        if path.name in ("suite.toml", "contender.toml", "library.toml", "published.toml")
        for place, english, korean in manifest_texts(tomllib.loads(path.read_text("utf-8")))
        if path.name != "published.toml" or not QUOTED.match(place)
    ]
    assert len(found) > 700
    wrong = {
        place: said
        for place, english, korean in found
        if (said := seconds_in(TEMPLATE.sub("·", korean), english))
    }
    assert wrong == {}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_have_one_word_for_each_idea(path: Path) -> None:
    words = without_code(path.read_text("utf-8"))
    assert len(words) > 500
    assert seconds_in(words) == []


def test_the_words_to_use_are_in_the_glossary_or_are_plain() -> None:
    glossary = (ROOT / "docs/reference/glossary.md").read_text("utf-8")
    used = [second.use for second in SECONDS]
    assert len(used) > 30
    named = [word for word in used if word in glossary]
    assert set(used) - set(named) == PLAIN


def test_a_second_word_is_found() -> None:
    assert seconds_in("예열 뒤의 서비스 시간") == ["'서비스 시간': 처리 시간", "'예열': 웜업"]
    assert seconds_in("느린 작업", "slow operations") == ["'작업': 연산"]
    assert seconds_in("그 작업", "that work") == []
    assert seconds_in("가상 머신") == []


def test_english_where_korean_is_written_is_found() -> None:
    found = seconds_in("null server와 simple broker, 여러 topic, unvalidated", "")
    assert [said.partition(": ")[2] for said in found] == [
        "가장 단순한 서버",
        "내장 브로커",
        "토픽",
        "검증 생략",
    ]
    assert seconds_in("내장 브로커(SimpleBroker), SSE(server-sent events)") == []
    assert seconds_in("cpp-flatbuffers-unvalidated") == []
    assert seconds_in("다른 run의 평균, 그리고 ./wl run kv") == ["'run': 실행"]
    assert seconds_in("앞단의 gateway를 거침") == ["'gateway': 게이트웨이"]


def test_an_origin_of_a_page_is_not_the_study() -> None:
    origin = seconds_in("같은 원문만 허용", "`setAllowedOrigins`: those of the same origin")
    assert origin == ["'원문': 오리진", "'원문': 연구만 가리킴"]
    assert seconds_in("받은 원문과 비교", "compared with what was sent") != []
    assert seconds_in("원문의 그림", "figures of the study") == []
    assert seconds_in("원문의 그림") == []


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)
