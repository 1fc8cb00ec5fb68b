"""Kernel timers as file descriptors (timerfd), so that an event loop can wait for them."""

from __future__ import annotations

import ctypes
import os
import sys
import time

_NANOSECONDS = 1_000_000_000
# Values of <sys/timerfd.h>, which are those of <fcntl.h> on Linux.
_TFD_TIMER_ABSTIME = 1
_TFD_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC


class _TimeSpec(ctypes.Structure):
    _fields_ = (("tv_sec", ctypes.c_long), ("tv_nsec", ctypes.c_long))


class _TimerSpec(ctypes.Structure):
    _fields_ = (("it_interval", _TimeSpec), ("it_value", _TimeSpec))


class _LibcTimer:
    """timerfd through libc, for Pythons before 3.13."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._spec = _TimerSpec()
        self._spec_pointer = ctypes.byref(self._spec)
        self.fd = self._checked(self._libc.timerfd_create(time.CLOCK_MONOTONIC, _TFD_FLAGS))

    def arm(self, deadline_ns: int) -> None:
        value = self._spec.it_value
        value.tv_sec, value.tv_nsec = divmod(deadline_ns, _NANOSECONDS)
        self._checked(
            self._libc.timerfd_settime(self.fd, _TFD_TIMER_ABSTIME, self._spec_pointer, None)
        )

    @staticmethod
    def _checked(result: int) -> int:
        if result < 0:
            errno = ctypes.get_errno()
            raise OSError(errno, f"timerfd: {os.strerror(errno)}")
        return result


class TimerFd:
    """A one-shot timer on CLOCK_MONOTONIC that makes ``fd`` readable.

    Raises OSError where the kernel has no timerfd or no descriptor is left.
    """

    def __init__(self) -> None:
        if sys.version_info >= (3, 13):
            self.fd = os.timerfd_create(time.CLOCK_MONOTONIC, flags=_TFD_FLAGS)
        else:
            self._timer = _LibcTimer()
            self.fd = self._timer.fd

    def arm(self, deadline_ns: int) -> None:
        """Fire at ``deadline_ns`` of CLOCK_MONOTONIC; at once when that has passed.

        An earlier deadline that has not fired is forgotten; 0 only disarms.
        """
        if sys.version_info >= (3, 13):
            os.timerfd_settime_ns(self.fd, flags=os.TFD_TIMER_ABSTIME, initial=deadline_ns)
        else:
            self._timer.arm(deadline_ns)

    def clear(self) -> bool:
        """Take the expiry out of the descriptor; False when there is none (any more)."""
        try:
            os.read(self.fd, 8)
        except BlockingIOError:
            return False  # armed again since the loop saw it readable
        return True

    def close(self) -> None:
        """Give the descriptor back."""
        os.close(self.fd)
