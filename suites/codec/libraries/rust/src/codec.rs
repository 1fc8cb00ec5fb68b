//! Codec that a contender implements: how its library writes and reads one shape.

use std::ops::DerefMut;

use wirelab_sdk::batches::Failure;

/// A library that writes and reads native values.
pub trait NativeCodec<S> {
    /// Bytes of a native value, in memory of their own.
    ///
    /// # Errors
    /// When the library fails.
    fn encode(&self, value: &S) -> Result<Vec<u8>, Failure>;

    /// The native value that the bytes hold.
    ///
    /// # Errors
    /// When the library refuses the bytes.
    fn decode(&self, encoded: &[u8]) -> Result<S, Failure>;
}

/// A library whose messages are types of their own.
pub trait MessageCodec<S> {
    /// The library's message.
    type Message: Clone;

    /// The message that says what a native value does.
    fn to_message(&self, value: &S) -> Self::Message;

    /// Bytes of a message, in memory of their own.
    ///
    /// # Errors
    /// When the library fails.
    fn encode(&self, message: &Self::Message) -> Result<Vec<u8>, Failure>;

    /// The message that the bytes hold.
    ///
    /// # Errors
    /// When the library refuses the bytes.
    fn decode(&self, encoded: &[u8]) -> Result<Self::Message, Failure>;

    /// The native value; what a message owns is moved, not copied.
    ///
    /// # Errors
    /// When a field does not fit.
    fn to_native(&self, message: Self::Message) -> Result<S, Failure>;

    /// Checksum of a message, through its own fields.
    fn fold(&self, message: &Self::Message) -> u32;
}

/// A library whose decoded values are views into the bytes.
pub trait BorrowedCodec<S> {
    /// Bytes as the library wants them to lie in memory.
    type Bytes: DerefMut<Target = [u8]>;
    /// Value that is decoded.
    type View<'a>;

    /// Bytes of a native value, in memory of their own.
    ///
    /// # Errors
    /// When the library fails.
    fn encode(&self, value: &S) -> Result<Self::Bytes, Failure>;

    /// A copy of bytes that came from elsewhere.
    fn hold(&self, bytes: &[u8]) -> Self::Bytes;

    /// The view into the bytes.
    ///
    /// # Errors
    /// When the library refuses the bytes.
    fn decode<'a>(&self, encoded: &'a [u8]) -> Result<Self::View<'a>, Failure>;

    /// Checksum of a view, through its own accessors.
    fn fold(&self, view: &Self::View<'_>) -> u32;

    /// The native value that a view shows; for answers only, never timed.
    ///
    /// # Errors
    /// When the library fails.
    fn native(&self, view: &Self::View<'_>) -> Result<S, Failure>;
}
