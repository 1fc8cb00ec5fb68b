"""Second Korean words for ideas that have one, with the word to use.

A report, a manifest and a page call an idea by the word of ``docs/reference/glossary.md``. The
words here are others for the same ideas, and English where an engineer writes Korean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Second:
    """A word that is not to be written. ``of``: only where the English text has this.
    ``unless``: only where there is an English text, and it has not this."""

    words: str
    use: str
    of: str = ""
    unless: str = ""

    def concerns(self, english: str) -> bool:
        """Whether it is the wrong word for what the English text says."""
        if self.unless:
            return bool(english) and not re.search(self.unless, english)
        return not self.of or re.search(self.of, english) is not None


SECONDS = (
    Second(r"서비스 시간", "처리 시간"),
    Second(r"프로파일(?!링|은 재지)", "측정 강도"),
    Second(r"예열|워밍업", "웜업"),
    Second(r"데드라인", "기한"),
    Second(r"후보(?! 200개)", "비교 대상"),
    Second(r"참가자", "비교 대상", of=r"contender"),
    Second(r"시행(?=[을이은의에들 ]|$)", "회차"),
    Second(r"모니터(?!링)", "감시기"),
    Second(r"스위트", "분야"),
    Second(r"(?<!가상 )(?<!가상)머신(?! ?러닝)", "장비"),
    Second(r"부하 발생기", "부하 생성기"),
    Second(r"수용 한계", "최대 수용 용량"),
    Second(r"탐침", "프로브"),
    Second(r"발표 수치", "원문 수치"),
    Second(r"출처(?=[가는의와])", "원문"),
    Second(r"원문", "오리진", of=r"(?i)origins?\b"),
    Second(r"원문", "연구만 가리킴", unless=r"(?i)\bstud(?:y|ies)\b|publish|\bstate|left open"),
    Second(r"(?<!관리 )작업(?! 스레드)", "연산", of=r"\boperations?\b"),
    Second(r"백분위(?!수)", "백분위수"),
    Second(r"샘플(?!링)", "표본"),
    Second(r"에러(?! 처리 패턴)", "오류"),
    Second(r"동률|동점", "공동 순위"),
    Second(r"미결(?!정)", "미결정"),
    Second(r"개방형", "개루프"),
    Second(r"(?<!서로)게이트(?!웨이)", "유효성 검사"),
    Second(r"경고", "주의", of=r"warn"),
    Second(r"초기 구동", "콜드 스타트"),
    Second(r"최대값", "최댓값"),
    Second(r"최소값", "최솟값"),
    Second(r"최우수값|최고값", "가장 좋은 값"),
    Second(r"조정값", "튜닝 설정"),
    Second(r"앱(?![가-힣])", "애플리케이션"),
    Second(r"특성", "피처", of=r"\bfeatures\b"),
    Second(r"추천(?! 후보)", "권장"),
    Second(r"저마다", "각자"),
    Second(r"빈도", "요청 속도"),
    Second(r"(?<!동작 )(?<!보안 )모드", "동작 방식", of=r"contenders?.*\bmodes?\b"),
    Second(r"GC (?:pause|일시 ?정지)|일시 ?정지", "GC 정지"),
    Second(r"\b[Tt]icks?\b(?! Drift)", "틱"),
    Second(r"\bdrift\b", "드리프트"),
    Second(r"\bgateway\b", "게이트웨이"),
    Second(r"\breplicas?\b|복제본", "레플리카"),
    Second(r"(?<!백그)라운드", "반복", of=r"\biterations?\b"),
    Second(r"\d%", "수와 % 사이의 빈칸"),
    Second(r"(?<![가-힣])획(?!득)", "스트로크"),
    Second(r"파라미터", "매개변수"),
    Second(r"응답자|응답 프로그램", "응답 클라이언트"),
    Second(r"널 서버", "가장 단순한 서버"),
    Second(r"자기 샌드박스", "별도의 샌드박스"),
    Second(r"효과가 있을 (?:조건|만한)", "효과가 있을 수 있는 부하", of=r"could matter"),
    Second(r"지속 메시지", "디스크에 저장하는 메시지", of=r"durable"),
    Second(r"프로세서", "CPU"),
    Second(r"까닭", "이유"),
    Second(r"발표된", "원문의"),
    Second(r"(?<!wl )(?<![\w<./-])runs?(?![\w>-])", "실행"),
    Second(r"\bendpoints?\b", "엔드포인트"),
    Second(r"(?:ASGI|모델) 뒤", "ASGI 애플리케이션, 모델 포함"),
    Second(r"executor 뒤", "executor 방식"),
    Second(r"null server|\bnull 서버", "가장 단순한 서버"),
    Second(r"(?<!SSE\()server-sent events", "SSE"),
    Second(r"[Ss]imple ?broker(?!\))", "내장 브로커"),
    Second(r"\btopics?\b", "토픽"),
    Second(r"(?<![\w-])unvalidated", "검증 생략"),
    Second(r"압축 창", "압축 윈도"),
    Second(r"잠금", "락"),
    Second(r"의미가 있을 조건", "효과가 있을 수 있는 부하"),
    # A block (블록) is one trial of every contender.
    Second(r"블록(?:되|됩|된|하|합|할)", "블로킹"),
)


def seconds_in(korean: str, english: str = "") -> list[str]:
    """Every second word of ``korean``, with the one to use."""
    return [
        f"{found.group()!r}: {second.use}"
        for second in SECONDS
        if second.concerns(english)
        # A particle is no part of an English word before it: gateway를.
        for found in re.finditer(second.words, korean, re.ASCII)
    ]


def without_code(page: str) -> str:
    """The words of a page: no commands, no code, no addresses, no names in backquotes."""
    kept = re.sub(r"```.*?```", "", page, flags=re.DOTALL)
    kept = "\n".join(line for line in kept.splitlines() if not line.startswith("    "))
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", kept)
