namespace Wirelab;

/// <summary>Absolute ticks at <c>zeroNs + tick * periodNs</c>, for a thread of its own.</summary>
public sealed class Ticker(long zeroNs, long periodNs, Func<bool> stopped)
{
    /// <summary>The longest sleep: so late a stop is seen at most.</summary>
    private const long LongestSleepNs = 100_000_000;

    /// <summary>Time at which <paramref name="tick"/> is to happen, in nanoseconds of CLOCK_MONOTONIC.</summary>
    public long IntendedNs(long tick) => zeroNs + tick * periodNs;

    /// <summary>
    /// Waits until <paramref name="tick"/> is due, not at all when it is late already; false when stopped instead.
    /// </summary>
    public bool Await(long tick) => Until(IntendedNs(tick), stopped);

    /// <summary>Sleeps until a time of CLOCK_MONOTONIC; false when stopped instead.</summary>
    public static bool Until(long atNs, Func<bool> stopped)
    {
        while (!stopped())
        {
            long now = Clock.Now;
            if (now >= atNs)
            {
                return true;
            }
            Clock.SleepUntil(Math.Min(atNs, now + LongestSleepNs));
        }
        return false;
    }
}
