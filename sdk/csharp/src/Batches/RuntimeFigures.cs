using System.Runtime;

namespace Wirelab.Batches;

/// <summary>Figures of the runtime at a moment, cumulative since its start.</summary>
/// <param name="Collections">Collections of any generation.</param>
/// <param name="PauseNs">Their pauses.</param>
/// <param name="CompileNs">How long its compilers worked, on any thread.</param>
internal readonly record struct RuntimeFigures(long Collections, long PauseNs, long CompileNs)
{
    /// <summary>Bytes that the calling thread has allocated, exactly.</summary>
    public static long Allocated => GC.GetAllocatedBytesForCurrentThread();

    /// <summary>Processor time of all threads of this process.</summary>
    public static long ProcessorNs => Clock.OfProcess;

    public static RuntimeFigures Now() =>
        new(
            GC.CollectionCount(0),
            Nanoseconds(GC.GetTotalPauseDuration()),
            Nanoseconds(JitInfo.GetCompilationTime()));

    public RuntimeFigures Since(RuntimeFigures before) =>
        new(Collections - before.Collections, PauseNs - before.PauseNs, CompileNs - before.CompileNs);

    private static long Nanoseconds(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;
}
