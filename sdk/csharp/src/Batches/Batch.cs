using System.Text.Json.Nodes;

namespace Wirelab.Batches;

/// <summary>A batch that was run, with what the runtime did meanwhile.</summary>
internal sealed record Batch(
    string Phase, long StartNs, long EndNs, long Rounds, uint Checksum, long AllocatedBytes, RuntimeFigures Cost)
{
    public long TookNs => EndNs - StartNs;

    public double RoundNs => (double)TookNs / Rounds;

    public JsonObject Line(string step, string operation) => new()
    {
        ["step"] = step,
        ["operation"] = operation,
        ["phase"] = Phase,
        ["start_ns"] = StartNs,
        ["end_ns"] = EndNs,
        ["rounds"] = Rounds,
        ["checksum"] = Checksum,
        ["allocated_bytes"] = AllocatedBytes,
        ["gc_count"] = Cost.Collections,
        ["gc_pause_ns"] = Cost.PauseNs,
        ["compile_ns"] = Cost.CompileNs,
    };
}
