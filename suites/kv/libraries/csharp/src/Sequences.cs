namespace Wirelab.Kv;

/// <summary>
/// Writes that a read may find in each field: those that may be there when it begins, and all that begin later.
/// </summary>
internal sealed record Seen(IReadOnlySet<long>[] Then, long Since)
{
    public bool MayFind(int field, long sequence) => sequence > Since || Then[field].Contains(sequence);
}

/// <summary>
/// Numbers writes in the order in which they begin, and knows by it what a read may find: who finds a value that was
/// replaced by a write that had ended before the read began has read a stale one.
/// </summary>
internal sealed class Sequences(long records)
{
    private static readonly HashSet<long> Loaded = [0];

    private readonly object _gate = new();
    private readonly Dictionary<(long Record, int Field), History> _histories = [];
    private readonly HashSet<long> _waiting = [];
    private long _last;
    private long _inserted = records;
    private long _newest = records - 1;

    /// <summary>The highest number below which every record is there.</summary>
    public long Newest
    {
        get
        {
            lock (_gate)
            {
                return _newest;
            }
        }
    }

    /// <summary>Number of a record that is to be inserted.</summary>
    public long Insert()
    {
        lock (_gate)
        {
            return _inserted++;
        }
    }

    /// <summary>Hears that the record is there.</summary>
    public void Inserted(long record)
    {
        lock (_gate)
        {
            _waiting.Add(record);
            while (_waiting.Remove(_newest + 1))
            {
                _newest++;
            }
        }
    }

    /// <summary>A read of all fields of a record begins.</summary>
    public Seen BeginRead(long record)
    {
        lock (_gate)
        {
            IReadOnlySet<long>[] then = [.. Enumerable.Range(0, UserTable.Fields)
                .Select(field => _histories.TryGetValue((record, field), out History? known) ? known.Then() : Loaded)];
            return new Seen(then, _last);
        }
    }

    /// <summary>A write of a field begins; its sequence number.</summary>
    public long BeginWrite(long record, int field)
    {
        lock (_gate)
        {
            if (!_histories.TryGetValue((record, field), out History? known))
            {
                known = _histories[(record, field)] = new History();
            }
            known.UnderWay[++_last] = [.. known.Ended];
            return _last;
        }
    }

    /// <summary>Hears that the write was acknowledged.</summary>
    public void EndWrite(long record, int field, long sequence)
    {
        lock (_gate)
        {
            History known = _histories[(record, field)];
            known.UnderWay.Remove(sequence, out HashSet<long>? replaced);
            known.Ended.ExceptWith(replaced ?? []);
            known.Ended.Add(sequence);
        }
    }

    /// <summary>Hears that a change replaced what it had read; false where another one had replaced it already.</summary>
    public bool Changed(long record, int field, long before)
    {
        lock (_gate)
        {
            return _histories[(record, field)].Changed.Add(before);
        }
    }

    /// <summary>Writes of a field that a read may find.</summary>
    private sealed class History
    {
        /// <summary>Ended writes that no other one replaced: it began when they had ended.</summary>
        public HashSet<long> Ended { get; } = [0];

        /// <summary>By write: what had ended before it began. One that failed may have come through: it stays.</summary>
        public Dictionary<long, HashSet<long>> UnderWay { get; } = [];

        /// <summary>Values that a change has replaced: it had read them, and nobody had written since.</summary>
        public HashSet<long> Changed { get; } = [];

        public HashSet<long> Then() => [.. Ended, .. UnderWay.Keys];
    }
}
