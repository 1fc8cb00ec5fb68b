"""Exceptions of asyncua in the contract's words."""

from __future__ import annotations

from asyncua import ua

from wirelab_sdk import Failure, Status, explain

_DISCONNECTED = (
    ua.uaerrors.BadConnectionClosed,
    ua.uaerrors.BadSecureChannelClosed,
    ua.uaerrors.BadSecureChannelIdInvalid,
    ua.uaerrors.BadServerNotConnected,
    ua.uaerrors.BadSessionClosed,
    ua.uaerrors.BadSessionIdInvalid,
    ua.uaerrors.BadShutdown,
)
_TIMED_OUT = (ua.uaerrors.BadTimeout, ua.uaerrors.BadRequestTimeout)


def explain_opcua(error: BaseException) -> Failure:
    """asyncua's status codes, then Python's own exceptions."""
    if not isinstance(error, ua.UaStatusCodeError):
        return explain(error)
    status = Status.ERROR
    if isinstance(error, _TIMED_OUT):
        status = Status.TIMEOUT
    elif isinstance(error, _DISCONNECTED):
        status = Status.DISCONNECTED
    name, _ = ua.status_codes.get_name_and_doc(error.code)
    return Failure(status, type(error).__name__, name, str(error))
