using System.Collections;
using System.Collections.Concurrent;

namespace Wirelab.Messaging;

/// <summary>
/// Exact counts of what is broadcast, and how long it took: memory grows with users and messages of a step by a bit
/// each, with deliveries not at all. Receivers are spread over a few stripes, so that those on different threads
/// seldom wait for each other.
/// </summary>
internal sealed class Deliveries : IDisposable
{
    private const int Stripes = 8;

    /// <summary>A second this old is written; what still comes for it gets a line of its own.</summary>
    private const long WrittenAfterSeconds = 4;

    /// <summary>Messages of a sender beyond those of its phase: it is only looked whether they came.</summary>
    public const int PromisedMessages = 8;

    private readonly Message _messages;
    private readonly IntervalFile _file;
    private readonly bool _open;
    private readonly BySecond<Tally>[] _stripes;
    private readonly Silences _silences = new();
    private readonly ConcurrentDictionary<Promised, bool> _promised = new();
    private readonly bool _telling;
    private bool _closed;
    private long _lastNs;
    private long _expected;
    private long _received;
    private long _wrongBefore;
    private volatile DeliveryPhase _phase = new(-1, false, "", 0, 0, 0, true, [], Owed.Everything(0), new SendTimes(0, 0, 1));

    public Deliveries(Message messages, string path, bool open, bool telling)
    {
        _telling = telling;
        _messages = messages;
        _open = open;
        _file = new IntervalFile(path);
        _stripes = Enumerable.Range(0, Stripes).Select(_ => new BySecond<Tally>(() => new Tally(open))).ToArray();
    }

    /// <summary>True once everything that was handed over so far has come.</summary>
    public bool Complete => Interlocked.Read(ref _received) >= Interlocked.Read(ref _expected);

    /// <summary>Time at which the last delivery came, or the phase began.</summary>
    public long LastNs => Interlocked.Read(ref _lastNs);

    public void StartAt(long tick0Ns)
    {
        foreach (BySecond<Tally> stripe in _stripes)
        {
            lock (stripe)
            {
                stripe.StartAt(tick0Ns);
            }
        }
    }

    /// <summary>From here on the messages of this phase count (or only pass, in settling).</summary>
    /// <param name="number">Of the phase, as its messages have it.</param>
    /// <param name="counts">Whether it counts.</param>
    /// <param name="step">The step it belongs to.</param>
    /// <param name="size">Bytes of a message.</param>
    /// <param name="senders">How many send.</param>
    /// <param name="perSender">How their messages are numbered: from 0 to below it.</param>
    /// <param name="perTick">How many of them are sent at a tick.</param>
    /// <param name="due">How many each is to send.</param>
    /// <param name="owed">To whom each of them is owed.</param>
    public void Begin(
        long number, bool counts, Step step, int size, int senders, long perSender, int perTick, long due, Owed owed)
    {
        Receiver[] receivers =
            Enumerable.Range(0, step.Users).Select(_ => new Receiver(senders, perSender)).ToArray();
        bool followsWhole = _phase.FollowsWhole && Complete;
        Interlocked.Exchange(ref _expected, 0);
        Interlocked.Exchange(ref _received, 0);
        Interlocked.Exchange(ref _lastNs, Clock.Now);
        var times = new SendTimes(_telling ? senders : 0, perSender / perTick, perTick);
        _phase = new DeliveryPhase(
            number, counts, step.Name, size, perSender, due * senders, followsWhole, receivers, owed, times);
        if (counts && Interlocked.Read(ref _wrongBefore) > 0)
        {
            AddWrong(0, LastNs, Interlocked.Exchange(ref _wrongBefore, 0));
        }
    }

    /// <summary>A sender's messages of a tick, of which this is one, are handed over.</summary>
    public void HandsOver(int sender, ReadOnlySpan<byte> message)
    {
        _phase.Times.Note(sender, message);
        _silences.HandsOver();
    }

    /// <summary>The call that handed a message over has ended.</summary>
    public void HandedOver() => _silences.HandedOver(Clock.Now);

    /// <summary>A broadcast of the phase was handed over: so many receivers are to get it.</summary>
    public void Sent(long sentNs, int sender, int receivers)
    {
        Interlocked.Add(ref _expected, receivers);
        if (_phase.Counts)
        {
            BySecond<Tally> stripe = _stripes[sender % Stripes];
            lock (stripe)
            {
                stripe.At(sentNs).Expected += receivers;
            }
        }
    }

    /// <summary>Counts what a user has got.</summary>
    public void Delivered(int user, ReadOnlySpan<byte> message)
    {
        long now = Clock.Now;
        DeliveryPhase phase = _phase;
        int sender = Message.UserOf(message);
        long sequence = sender < 0 ? -1 : Message.SequenceOf(message);
        if (sender < 0 || !_messages.IsIntact(message, sender, sequence, phase.Size))
        {
            Wrong(phase, user, now);
        }
        else if (sequence >>> 32 == phase.Number)
        {
            Count(phase, user, sender, (int)sequence, message, now);
        }
        else if (_open || sequence >>> 32 == 0 || sequence >>> 32 > phase.Number)
        {
            Wrong(phase, user, now); // nobody has sent it to everybody
        }
        else if (phase.Counts && phase.FollowsWhole)
        {
            BySecond<Tally> stripe = _stripes[user % Stripes];
            lock (stripe)
            {
                stripe.At(now).Duplicates++;
            }
        }
    }

    /// <summary>The number within its phase of the message that a sender promises as this one.</summary>
    public long Promise(int number) => _phase.PerSender + number;

    /// <summary>Tells whether a user has got what was promised.</summary>
    public bool Came(int user, int sender, int number) =>
        _promised.ContainsKey(new Promised(user, sender, Promise(number)));

    /// <summary>Counts a user who did not get what it was promised, as of the last that came.</summary>
    public void PromiseBroken(int user) => AddWrong(user, LastNs, 1);

    /// <summary>Time at which a user had got every message of the phase; null: it has not.</summary>
    public long? CompletedNs(int user)
    {
        DeliveryPhase phase = _phase;
        Receiver receiver = phase.Receivers[user];
        lock (_stripes[user % Stripes])
        {
            return receiver.Distinct >= phase.PerReceiver ? receiver.LastNs : null;
        }
    }

    /// <summary>Writes seconds that are a few old, or all.</summary>
    public void Write(bool all)
    {
        lock (_file)
        {
            if (_closed)
            {
                return;
            }
            long nowNs = Clock.Now;
            foreach (BySecond<Tally> stripe in _stripes)
            {
                IReadOnlyList<(long Second, Tally Counts)> due;
                // Taken out first: deliveries are not to wait for the disk.
                lock (stripe)
                {
                    due = all ? stripe.All() : stripe.Settled(nowNs, WrittenAfterSeconds);
                }
                foreach ((long second, Tally tally) in due)
                {
                    _file.Write(tally.Line(second, _phase.Step));
                }
            }
            _file.Flush();
        }
    }

    public void Dispose()
    {
        lock (_file)
        {
            Write(all: true);
            _closed = true;
            _file.Dispose();
        }
    }

    private void Count(DeliveryPhase phase, int user, int sender, int number, ReadOnlySpan<byte> message, long now)
    {
        Receiver? receiver = user < phase.Receivers.Length ? phase.Receivers[user] : null;
        if (receiver is null || sender >= receiver.Highest.Length || number >= phase.PerSender + PromisedMessages)
        {
            Wrong(phase, user, now);
            return;
        }
        if (number >= phase.PerSender)
        {
            _promised[new Promised(user, sender, number)] = true;
            return;
        }
        if (!phase.Times.AreOf(sender, message))
        {
            Wrong(phase, user, now);
            return;
        }
        long silenceNs = _silences.EndedBy(now);
        if (user >= phase.Owed.To(number))
        {
            return; // it was still joining, and may get this or not
        }
        // A server knows who has sent a message, and could serve the sender before the others.
        bool timed = user != sender || phase.Receivers.Length == 1;
        BySecond<Tally> stripe = _stripes[user % Stripes];
        lock (stripe)
        {
            bool late = number < receiver.Highest[sender];
            bool again = !receiver.Take(sender, number, checked((int)(sender * phase.PerSender + number)));
            if (phase.Counts)
            {
                long sentNs = Message.SentNsOf(message);
                long dueNs = _open ? Message.ServedNsOf(message) : sentNs;
                Tally tally = stripe.At(dueNs);
                if (again)
                {
                    tally.Duplicates++;
                }
                else
                {
                    tally.Received++;
                    tally.Reordered += late ? 1 : 0;
                    tally.Bytes += message.Length;
                    tally.Held += _open ? receiver.Together.HeldFor(silenceNs, sentNs, now) : 0;
                    if (timed)
                    {
                        tally.Took(now - sentNs, now - dueNs);
                    }
                }
            }
            receiver.LastNs = now;
            if (!again)
            {
                Interlocked.Increment(ref _received);
            }
        }
        RaiseLast(now);
    }

    /// <summary>Counts what comes wrong; before anything counts, it belongs to what does so next.</summary>
    private void Wrong(DeliveryPhase phase, int user, long now)
    {
        if (phase.Counts)
        {
            AddWrong(user, now, 1);
        }
        else
        {
            Interlocked.Increment(ref _wrongBefore);
        }
    }

    private void AddWrong(int user, long atNs, long count)
    {
        BySecond<Tally> stripe = _stripes[user % Stripes];
        lock (stripe)
        {
            stripe.At(atNs).Wrong += count;
        }
    }

    private void RaiseLast(long now)
    {
        long last = Interlocked.Read(ref _lastNs);
        while (now > last)
        {
            long found = Interlocked.CompareExchange(ref _lastNs, now, last);
            if (found == last)
            {
                return;
            }
            last = found;
        }
    }

    /// <summary>Phase that is counted: the messages of one step, or of its settling, which only has to end.</summary>
    private sealed record DeliveryPhase(
        long Number,
        bool Counts,
        string Step,
        int Size,
        long PerSender,
        long PerReceiver,
        bool FollowsWhole,
        Receiver[] Receivers,
        Owed Owed,
        SendTimes Times);

    /// <summary>A message that somebody was promised, and got.</summary>
    private readonly record struct Promised(int User, int Sender, long Number);

    /// <summary>Messages that one user has got in a phase. Guarded by its stripe.</summary>
    private sealed class Receiver(int senders, long perSender)
    {
        private readonly BitArray _seen = new(checked((int)(senders * perSender)));

        public Silences.Together Together { get; } = new();

        public int[] Highest { get; } = Enumerable.Repeat(-1, senders).ToArray();

        public long Distinct { get; private set; }

        public long LastNs { get; set; }

        /// <summary>Takes a message; false where it came before.</summary>
        public bool Take(int sender, int number, int place)
        {
            if (_seen[place])
            {
                return false;
            }
            _seen[place] = true;
            Distinct++;
            Highest[sender] = Math.Max(Highest[sender], number);
            return true;
        }
    }
}
