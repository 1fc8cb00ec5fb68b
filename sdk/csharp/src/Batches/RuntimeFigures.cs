using System.Runtime;

namespace Wirelab.Batches;

/// <summary>What the runtime tells of itself at a moment, cumulative since its start.</summary>
/// <param name="Collections">Collections of any generation.</param>
/// <param name="PauseNs">Their pauses.</param>
/// <param name="Compiled">Methods compiled, of every tier.</param>
internal readonly record struct RuntimeFigures(long Collections, long PauseNs, long Compiled)
{
    /// <summary>Bytes that the calling thread has allocated, exactly.</summary>
    public static long Allocated => GC.GetAllocatedBytesForCurrentThread();

    /// <summary>Processor time of all threads of this process.</summary>
    public static long ProcessorNs =>
        (long)(Environment.CpuUsage.TotalTime.Ticks * TimeSpan.NanosecondsPerTick);

    public static RuntimeFigures Now() =>
        new(
            GC.CollectionCount(0),
            GC.GetTotalPauseDuration().Ticks * TimeSpan.NanosecondsPerTick,
            JitInfo.GetCompiledMethodCount());

    public RuntimeFigures Since(RuntimeFigures before) =>
        new(Collections - before.Collections, PauseNs - before.PauseNs, Compiled - before.Compiled);
}
