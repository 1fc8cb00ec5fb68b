using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>
/// Figures that only the runtime itself can tell: the heap in use, what was allocated and what the collector cost. CPU
/// and memory of the process are the core's to measure.
/// </summary>
internal sealed class RuntimeProbe(Events events, Func<long> records)
{
    private const long PeriodNs = 1_000_000_000;

    /// <summary>Kind of <c>heap_bytes</c>, so that nobody compares it with another runtime's figure.</summary>
    private const string HeapKind = "GC.GetTotalMemory, garbage not yet collected included";

    /// <summary>Reports once a second from <paramref name="firstNs"/> on, from a background thread.</summary>
    public void Start(long firstNs) =>
        new Thread(() => Report(firstNs)) { IsBackground = true, Name = "wirelab-runtime" }.Start();

    /// <summary>Reports now.</summary>
    public void Say() => events.Runtime(new JsonObject
    {
        ["heap_bytes"] = GC.GetTotalMemory(forceFullCollection: false),
        ["heap_kind"] = HeapKind,
        // Of all threads: an awaited call goes on on another one.
        ["allocated_bytes"] = GC.GetTotalAllocatedBytes(),
        // A collection of a later generation is one of the first as well.
        ["gc_count"] = GC.CollectionCount(0),
        ["gc_pause_ns"] = GC.GetTotalPauseDuration().Ticks * TimeSpan.NanosecondsPerTick,
    });

    private void Report(long firstNs)
    {
        var ticker = new Ticker(firstNs, PeriodNs, () => false);
        try
        {
            long saidNs = firstNs - PeriodNs;
            for (long tick = 0; ticker.Await(tick); tick++)
            {
                Say();
                // After a second that came late the next one is not a second away.
                if (Clock.Now - saidNs > PeriodNs / 2)
                {
                    events.Progress(records());
                    saidNs = Clock.Now;
                }
            }
        }
        catch (IOException coreIsGone)
        {
            Console.Error.WriteLine($"the core no longer reads: {coreIsGone.Message}");
        }
    }
}
