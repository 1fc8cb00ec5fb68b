namespace Wirelab.Messaging;

/// <summary>
/// Times at which the messages of a phase were handed over and due: what a server makes of the times in a message is
/// not believed. By any thread.
/// </summary>
internal sealed class SendTimes(int senders, long ticks, int perTick)
{
    private readonly long[] _times = new long[2 * senders * ticks];

    /// <summary>Takes the times of a tick's messages, of which one is given.</summary>
    public void Note(int sender, ReadOnlySpan<byte> message)
    {
        long at = At(sender, message);
        Volatile.Write(ref _times[at], Message.SentNsOf(message));
        Volatile.Write(ref _times[at + 1], Message.ServedNsOf(message));
    }

    /// <summary>Tells whether a message of the phase came with the times that it was handed over with.</summary>
    public bool AreOf(int sender, ReadOnlySpan<byte> message)
    {
        long at = At(sender, message);
        return Volatile.Read(ref _times[at]) == Message.SentNsOf(message)
            && Volatile.Read(ref _times[at + 1]) == Message.ServedNsOf(message);
    }

    private long At(int sender, ReadOnlySpan<byte> message) =>
        2 * (sender * ticks + (Message.SequenceOf(message) & uint.MaxValue) / perTick);
}
