using System.Text.Json.Nodes;
using Wirelab.Batches;

namespace Wirelab.Test;

/// <summary>The vectors of batch loops, by a clock of their own.</summary>
internal static class BatchVectors
{
    /// <summary>Compares the batches of every loop; how many loops there were.</summary>
    public static int Compare(JsonNode vectors)
    {
        JsonArray loops = vectors["loops"]!.AsArray();
        foreach (JsonNode? loop in loops)
        {
            var expected = loop!["batches"]!.AsArray().Select(one => ((string)one![0]!, (long)one[1]!)).ToList();
            expected.Add(("allocation", 4 * (long)loop["inputs"]!));
            var found = Taken(loop, (_, _) => true).Select(one => (one.Phase, one.Rounds)).ToList();
            if (!found.SequenceEqual(expected))
            {
                throw new InvalidDataException($"{loop["name"]}: found {string.Join(", ", found)}");
            }
        }
        RefuseEarlyAgreement(loops[0]!);
        return loops.Count;
    }

    /// <summary>Agreement that means nothing yet ends no warm-up.</summary>
    private static void RefuseEarlyAgreement(JsonNode loop)
    {
        const long meaningNs = 50_000_000;
        long trusting = Taken(loop, (_, _) => true)[^1].EndNs;
        long waiting = Taken(loop, (_, sinceNs) => sinceNs >= meaningNs)[^1].StartNs;
        if (trusting >= meaningNs || waiting < meaningNs)
        {
            throw new InvalidDataException($"ended at {trusting} ns, and at {waiting} ns where it was to wait");
        }
    }

    private static IReadOnlyList<Batch> Taken(JsonNode loop, Func<IReadOnlyList<Batch>, long, bool> trusted)
    {
        JsonNode asked = loop["plan"]!;
        var plan = new BatchPlan(
            [], [], [], (long)asked["rounds"]!, (long)asked["batch_ns"]!, (long)asked["count"]!,
            (long)asked["warmup_ns"]!, 0, (double)asked["agree"]!, []);
        long[] costNs = loop["cost_ns"]!.AsArray().Select(one => (long)one!).ToArray();
        long now = 0;
        int begun = 0;
        var series = new BatchSeries(
            plan, (int)loop["inputs"]!,
            rounds =>
            {
                now += rounds * costNs[Math.Min(begun++, costNs.Length - 1)];
                return 0;
            },
            () => now, trusted);
        series.Measure();
        return series.Taken;
    }
}
