"""Stacks that the Python SDK samples: processor time finds its function, and waiting finds none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from wirelab.model.stacks import SampledStacks
from wirelab.samples.stacks import STACKS, collect

SDK = Path(__file__).parents[2] / "sdk" / "python"

BUSY = """
import sys, threading, time
from pathlib import Path
from wirelab_sdk.stacks import StackSampler

def busy(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        counted()

def counted():
    n = 0
    for i in range(2000):
        n += i

def waiting():
    time.sleep(0.3)

sampler = StackSampler(Path(sys.argv[1]))
sampler.start()
waiting()
if sys.argv[2] == "thread":
    other = threading.Thread(target=busy, args=(0.4,))
    other.start()
    other.join()
else:
    busy(0.6)
sampler.stop()
# Nothing is sampled any more.
busy(0.1)
"""


def sampled(tmp_path: Path, where: str) -> SampledStacks:
    source = tmp_path / "busy.py"
    source.write_text(BUSY, "utf-8")
    command = [sys.executable, str(source), str(tmp_path / STACKS), where]
    subprocess.run(command, env={"PYTHONPATH": str(SDK)}, check=True, timeout=60)
    return collect(tmp_path)


def test_the_time_is_where_the_processor_was_used(tmp_path: Path) -> None:
    found = sampled(tmp_path, "main")
    places = {place.name: place for place in found.functions}
    assert found.samples >= 5
    assert places["__main__:busy"].within_ns > 0.8 * found.sampled_ns
    assert places["__main__:counted"].own_ns > 0.5 * found.sampled_ns
    # Who waits uses nothing.
    assert "__main__:waiting" not in places or (
        places["__main__:waiting"].within_ns < 0.2 * found.sampled_ns
    )
    assert found.sampled_ns <= found.process_ns
    assert found.main_thread_ns > 0.8 * found.process_ns


def test_the_time_of_other_threads_is_told_as_not_the_main_threads(tmp_path: Path) -> None:
    found = sampled(tmp_path, "thread")
    assert found.process_ns >= 400_000_000
    assert found.main_thread_ns < 0.5 * found.process_ns


def test_each_stack_begins_with_the_program(tmp_path: Path) -> None:
    found = sampled(tmp_path, "main")
    (program,) = (place for place in found.functions if place.name == "__main__:<module>")
    assert program.within_ns == found.sampled_ns


STEPPING_BACK = """
import signal, sys, time
from pathlib import Path
from wirelab_sdk.stacks import StackSampler

told = iter([1_000, 5_000, 4_000, 6_000, 6_000])
time.process_time_ns = lambda: next(told)
sampler = StackSampler(Path(sys.argv[1]))
sampler.start()
signal.setitimer(signal.ITIMER_PROF, 0)  # the timer would ask the clock, too

def stepped():
    signal.raise_signal(signal.SIGPROF)

signal.raise_signal(signal.SIGPROF)
stepped()
signal.raise_signal(signal.SIGPROF)
sampler.stop()
"""


INTERRUPTED = """
import signal, sys, time
from pathlib import Path
from wirelab_sdk.stacks import StackSampler

told = iter([1_000, 5_000, 6_000, 8_000])
time.process_time_ns = lambda: next(told)
seen = []

class Globals(dict):
    def get(self, *wanted):
        # The sampler asks for the module's name: the next signal comes meanwhile.
        if not seen:
            seen.append(signal.raise_signal(signal.SIGPROF))
        return super().get(*wanted)

sampler = StackSampler(Path(sys.argv[1]))
sampler.start()
signal.setitimer(signal.ITIMER_PROF, 0)  # the timer would ask the clock, too
exec("signal.raise_signal(signal.SIGPROF)", Globals(signal=signal))
sampler.stop()
assert seen
"""


def test_a_clock_that_steps_back_takes_no_time_away(tmp_path: Path) -> None:
    found = sampled_by(tmp_path, STEPPING_BACK)
    assert (found.samples, found.sampled_ns, found.process_ns) == (3, 5_000, 5_000)


def test_a_signal_while_a_sample_is_taken_takes_no_time_away(tmp_path: Path) -> None:
    found = sampled_by(tmp_path, INTERRUPTED)
    assert (found.samples, found.sampled_ns, found.process_ns) == (1, 4_000, 5_000)


def sampled_by(tmp_path: Path, program: str) -> SampledStacks:
    source = tmp_path / "program.py"
    source.write_text(program, "utf-8")
    subprocess.run(
        [sys.executable, str(source), str(tmp_path / STACKS)],
        env={"PYTHONPATH": str(SDK)},
        check=True,
        timeout=60,
    )
    return collect(tmp_path)
