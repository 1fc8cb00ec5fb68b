//! Status bytes of the contract; 64 to 255 are named by the suites.

/// End of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// The answer is there.
    Ok = 0,
    /// Failed in another way than below.
    Error = 1,
    /// No answer within the limit.
    Timeout = 2,
    /// The connection was lost before or during the operation.
    Disconnected = 3,
    /// No connection could be made.
    Refused = 4,
    /// The operation succeeded, at least one of its items did not.
    ItemError = 5,
    /// The worker's own check of the answer failed.
    WrongAnswer = 6,
    /// This contender cannot do the operation.
    Unsupported = 7,
}

impl Status {
    /// The contract's name, used as `status` of an `error` event.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Timeout => "timeout",
            Self::Disconnected => "disconnected",
            Self::Refused => "refused",
            Self::ItemError => "item-error",
            Self::WrongAnswer => "wrong-answer",
            Self::Unsupported => "unsupported",
        }
    }
}
