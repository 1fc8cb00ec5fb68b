using System.Runtime;
using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>
/// Figures that only the runtime itself can tell: the heap in use, what was allocated, what the collector cost, and when
/// it and the compiler were at work. CPU and memory of the process are the core's to measure.
/// </summary>
internal sealed class RuntimeProbe(Events events, Func<long> records)
{
    private const long PeriodNs = 1_000_000_000;

    /// <summary>
    /// Time between two looks at the counters, by which collections and compilations are placed: each look takes some
    /// microseconds of a thread that sleeps otherwise.
    /// </summary>
    private const long LookNs = 20_000_000;

    private const long Looks = PeriodNs / LookNs;

    /// <summary>Kind of <c>heap_bytes</c>, so that nobody compares it with another runtime's figure.</summary>
    private const string HeapKind = "GC.GetTotalMemory, garbage not yet collected included";

    /// <summary>Whoever says and whoever looks are two threads: a counter read first is taken first.</summary>
    private readonly object _gate = new();

    private RuntimeSpans? _collections;
    private RuntimeSpans? _compilations;

    /// <summary>Reports once a second from <paramref name="firstNs"/> on, from a background thread.</summary>
    public void Start(long firstNs) =>
        new Thread(() => Report(firstNs)) { IsBackground = true, Name = "wirelab-runtime" }.Start();

    /// <summary>Reports now.</summary>
    public void Say()
    {
        Look();
        JsonObject told = Figures();
        lock (_gate)
        {
            // None before the reports have begun.
            if (_collections is { } collections && _compilations is { } compilations)
            {
                (told["collections"], long fewer) = collections.Taken();
                (told["compilations"], long less) = compilations.Taken();
                told["untold"] = fewer + less;
            }
        }
        events.Runtime(told);
    }

    private static JsonObject Figures() => new()
    {
        ["heap_bytes"] = GC.GetTotalMemory(forceFullCollection: false),
        ["heap_kind"] = HeapKind,
        // Of all threads: an awaited call goes on on another one.
        ["allocated_bytes"] = GC.GetTotalAllocatedBytes(),
        // A collection of a later generation is one of the first as well.
        ["gc_count"] = GC.CollectionCount(0),
        ["gc_pause_ns"] = GC.GetTotalPauseDuration().Ticks * TimeSpan.NanosecondsPerTick,
    };

    private void Look()
    {
        lock (_gate)
        {
            long beforeNs = Clock.Now;
            TimeSpan paused = GC.GetTotalPauseDuration();
            TimeSpan compiled = JitInfo.GetCompilationTime();
            long afterNs = Clock.Now;
            _collections?.Look(paused, beforeNs, afterNs);
            _compilations?.Look(compiled, beforeNs, afterNs);
        }
    }

    private void LookFromNowOn()
    {
        lock (_gate)
        {
            long beforeNs = Clock.Now;
            _compilations = new RuntimeSpans(stops: false, JitInfo.GetCompilationTime(), beforeNs);
            _collections = new RuntimeSpans(stops: true, GC.GetTotalPauseDuration(), beforeNs);
        }
    }

    private void Report(long firstNs)
    {
        var ticker = new Ticker(firstNs, LookNs, () => false);
        try
        {
            long saidNs = firstNs - PeriodNs;
            LookFromNowOn();
            for (long tick = 0; ticker.Await(tick); tick++)
            {
                if (tick % Looks != 0)
                {
                    Look();
                    continue;
                }
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
