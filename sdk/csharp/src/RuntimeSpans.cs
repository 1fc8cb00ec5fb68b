using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>
/// Collections or compilations since the <c>runtime</c> event before, told by a counter that is looked at often: what
/// it grew by was done between two looks.
/// </summary>
/// <param name="stops">
/// Whether the program stands still meanwhile, so that all of it was since the look before; otherwise it may have begun
/// earlier.
/// </param>
/// <param name="total">Where the counter stands.</param>
/// <param name="beforeNs">The time just before it was read.</param>
internal sealed class RuntimeSpans(bool stops, TimeSpan total, long beforeNs)
{
    /// <summary>The contract wants no more of them in an event.</summary>
    private const int Most = 500;

    /// <summary>Most spans in all events, which are bounded.</summary>
    private const int MostInAll = 50_000;

    /// <summary>Shortest span that is told: a shorter one explains no spike.</summary>
    private const long ShortestNs = 100_000;

    private TimeSpan _last = total;
    private long _lookedNs = beforeNs;
    private List<(long Begin, long End, long Took)> _spans = [];
    private int _told;
    private long _untold;

    /// <summary>Takes what the counter said between two times.</summary>
    /// <param name="now">What it said.</param>
    /// <param name="from">The time before it was read.</param>
    /// <param name="until">The time after it was read.</param>
    public void Look(TimeSpan now, long from, long until)
    {
        long took = (now - _last).Ticks * TimeSpan.NanosecondsPerTick;
        if (took >= ShortestNs && _spans.Count < Most && _told < MostInAll)
        {
            _told++;
            _spans.Add((stops ? _lookedNs : _lookedNs - took, until, took));
        }
        else if (took >= ShortestNs)
        {
            _untold++;
        }
        _last = now;
        _lookedNs = from;
    }

    /// <summary>All since the last time this was asked, and how many of them were left out.</summary>
    public (JsonArray Spans, long Untold) Taken()
    {
        var told = new JsonArray();
        foreach ((long begin, long end, long took) in _spans)
        {
            told.Add((JsonNode)new JsonArray(begin, end, took));
        }
        long untold = _untold;
        _spans = [];
        _untold = 0;
        return (told, untold);
    }
}
