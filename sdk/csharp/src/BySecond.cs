namespace Wirelab;

/// <summary>
/// Counts of each second after tick 0, until they are taken out to be written. What comes for a second after that
/// makes a line of its own. For one thread at a time.
/// </summary>
/// <param name="fresh">Makes the counts where a second has none.</param>
public sealed class BySecond<T>(Func<T> fresh)
{
    private const long SecondNs = 1_000_000_000;

    private readonly SortedDictionary<long, T> _counts = [];
    private long _tick0Ns;

    /// <summary>Second 0 begins at <paramref name="tick0Ns"/>.</summary>
    public void StartAt(long tick0Ns) => _tick0Ns = tick0Ns;

    /// <summary>The counts of the second of a time; what comes before tick 0 belongs to the first.</summary>
    public T At(long ns)
    {
        long second = Math.Max(0, SecondOf(ns));
        if (!_counts.TryGetValue(second, out T? counts))
        {
            counts = fresh();
            _counts[second] = counts;
        }
        return counts;
    }

    /// <summary>
    /// Takes out the seconds that were over so many <paramref name="seconds"/> before <paramref name="nowNs"/>.
    /// </summary>
    public IReadOnlyList<(long Second, T Counts)> Settled(long nowNs, long seconds) => Taken(SecondOf(nowNs) - seconds);

    /// <summary>Takes out all of them.</summary>
    public IReadOnlyList<(long Second, T Counts)> All() => Taken(long.MaxValue);

    private List<(long Second, T Counts)> Taken(long before)
    {
        List<(long Second, T Counts)> taken =
            _counts.TakeWhile(one => one.Key < before).Select(one => (one.Key, one.Value)).ToList();
        foreach ((long second, _) in taken)
        {
            _counts.Remove(second);
        }
        return taken;
    }

    private long SecondOf(long ns) => (ns - _tick0Ns) / SecondNs;
}
