using System.Text.Json.Nodes;

namespace Wirelab.Batches;

/// <summary>A batch that was run, with what the runtime did meanwhile.</summary>
internal sealed record Batch(
    string Phase, long StartNs, long EndNs, long Iterations, uint Checksum, long AllocatedBytes, RuntimeFigures Cost)
{
    public long TookNs => EndNs - StartNs;

    public double IterationNs => (double)TookNs / Iterations;

    public JsonObject Line(string step, string operation) => new()
    {
        ["step"] = step,
        ["operation"] = operation,
        ["phase"] = Phase,
        ["start_ns"] = StartNs,
        ["end_ns"] = EndNs,
        ["rounds"] = Iterations,
        ["checksum"] = Checksum,
        ["allocated_bytes"] = AllocatedBytes,
        ["gc_count"] = Cost.Collections,
        ["gc_pause_ns"] = Cost.PauseNs,
        ["compile_ns"] = Cost.CompileNs,
    };
}
