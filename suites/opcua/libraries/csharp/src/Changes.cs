namespace OpcUa;

/// <summary>A value of a tag as it came; <paramref name="Bad"/> is null where it is good.</summary>
public readonly record struct Reading(object? Value, BadItem? Bad);

/// <summary>
/// The values of all tags after each change: number <em>n</em> is whole when all have come <em>n</em> times more than
/// at first.
/// </summary>
public sealed class Changes(int tags)
{
    private readonly object _gate = new();
    private readonly Reading[] _latest = new Reading[tags];
    private readonly long[] _came = new long[tags];
    private readonly Dictionary<long, TaskCompletionSource<Reading[]>> _sets = [];
    private long _number;
    private int _missing = tags;

    /// <summary>The values after a change, once they have all come; asked for once.</summary>
    public Task<Reading[]> Take(long number)
    {
        lock (_gate)
        {
            Task<Reading[]> set = Set(number).Task;
            if (set.IsCompleted)
            {
                _sets.Remove(number);
            }
            return set;
        }
    }

    /// <summary>Takes the next values of some tags.</summary>
    public void Put(IEnumerable<(int Tag, Reading Reading)> next)
    {
        List<(TaskCompletionSource<Reading[]> Set, Reading[] Readings)> whole = [];
        lock (_gate)
        {
            foreach ((int tag, Reading reading) in next)
            {
                _latest[tag] = reading;
                _came[tag]++;
                if (_came[tag] == _number + 1)
                {
                    _missing--;
                }
                while (_missing == 0)
                {
                    whole.Add((Completed(), [.. _latest]));
                }
            }
        }
        // Who waits goes on here, and may ask for the next one.
        foreach ((TaskCompletionSource<Reading[]> set, Reading[] readings) in whole)
        {
            set.SetResult(readings);
        }
    }

    private TaskCompletionSource<Reading[]> Completed()
    {
        bool isAwaited = _sets.ContainsKey(_number);
        TaskCompletionSource<Reading[]> set = Set(_number);
        if (isAwaited)
        {
            _sets.Remove(_number);
        }
        _number++;
        _missing = _came.Count(times => times <= _number);
        return set;
    }

    private TaskCompletionSource<Reading[]> Set(long number)
    {
        if (!_sets.TryGetValue(number, out TaskCompletionSource<Reading[]>? set))
        {
            _sets[number] = set = new TaskCompletionSource<Reading[]>();
        }
        return set;
    }
}
