namespace Wirelab.Messaging;

/// <summary>
/// Times at which nothing came to anybody and nobody was handing anything over; they tell messages that were held back
/// in order to leave together from those that left as they were sent.
/// </summary>
/// <remarks>
/// A client that has nothing to do for 1 ms gets what comes at once. If several messages come to one user at the end
/// of such a silence, and one of them had been handed over 1 ms before another, then it had waited for that one. What
/// comes while others come, or while messages are handed over, may have waited for the client, and tells nothing.
/// </remarks>
internal sealed class Silences
{
    private const long LongNs = 1_000_000;

    private long _activeNs;
    private long _endedNs;
    private int _underWay;

    /// <summary>Begins to hand a message over.</summary>
    public void HandsOver() => Interlocked.Increment(ref _underWay);

    /// <summary>Has handed it over, or failed to.</summary>
    public void HandedOver(long now)
    {
        Raise(now);
        Interlocked.Decrement(ref _underWay);
    }

    /// <summary>The end of the last silence, which a message that comes now may be.</summary>
    public long EndedBy(long now)
    {
        long before = Raise(now);
        if (Volatile.Read(ref _underWay) == 0 && now - before >= LongNs)
        {
            Volatile.Write(ref _endedNs, now);
        }
        return Volatile.Read(ref _endedNs);
    }

    /// <summary>Returns what was the last time.</summary>
    private long Raise(long now)
    {
        long last = Volatile.Read(ref _activeNs);
        while (now > last)
        {
            long found = Interlocked.CompareExchange(ref _activeNs, now, last);
            if (found == last)
            {
                return last;
            }
            last = found;
        }
        return last;
    }

    /// <summary>Messages that came to one user at the end of a silence. Of one thread at a time.</summary>
    internal sealed class Together
    {
        private readonly Queue<long> _sentNs = new();
        private long _endedNs;
        private long _firstNs;

        /// <summary>Number of messages that had waited for this one.</summary>
        public int HeldFor(long endedNs, long sentNs, long now)
        {
            if (endedNs != _endedNs)
            {
                _endedNs = endedNs;
                _firstNs = now;
                _sentNs.Clear();
            }
            if (now - _firstNs > LongNs || sentNs > endedNs)
            {
                return 0;
            }
            int held = 0;
            while (_sentNs.TryPeek(out long first) && first + LongNs <= sentNs)
            {
                _sentNs.Dequeue();
                held++;
            }
            if (sentNs + LongNs <= endedNs)
            {
                _sentNs.Enqueue(sentNs);
            }
            return held;
        }
    }
}
