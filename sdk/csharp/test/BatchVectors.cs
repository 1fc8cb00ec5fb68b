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
            var found = Taken(loop, (_, _) => true).Select(one => (one.Phase, one.Iterations)).ToList();
            if (!found.SequenceEqual(expected))
            {
                throw new InvalidDataException($"{loop["name"]}: found {string.Join(", ", found)}");
            }
        }
        RefuseEarlyAgreement(loops[0]!);
        return loops.Count;
    }

    /// <summary>Compares whose turns are taken before one is timed, and their iterations; the number of vectors.</summary>
    public static int ComparePrewarmings(JsonNode vectors)
    {
        JsonArray prewarmings = vectors["prewarmings"]!.AsArray();
        foreach (JsonNode? one in prewarmings)
        {
            var expected = one!["batches"]!.AsArray().Select(turn => ((int)turn![0]!, (long)turn[1]!)).ToList();
            List<(int, long)> found = Turns(one);
            if (!found.SequenceEqual(expected))
            {
                throw new InvalidDataException($"{one["name"]}: found {string.Join(", ", found)}");
            }
        }
        return prewarmings.Count;
    }

    private static List<(int Operation, long Iterations)> Turns(JsonNode vector)
    {
        const long millisecondNs = 1_000_000;
        JsonNode asked = vector["plan"]!;
        var plan = new BatchPlan(
            [], [], [], 0, (long)asked["batch_ns"]!, 0, 0, (long)asked["prewarm_ms"]! * millisecondNs, 0, []);
        HashSet<int> compiling = [.. vector["compiling"]!.AsArray().Select(one => (int)one!)];
        var now = new Now();
        long compiled = 0;
        List<(int, long)> found = [];
        IEnumerable<Func<bool>> turns = vector["operations"]!.AsArray().Select<JsonNode?, Func<bool>>((one, number) =>
        {
            BatchSeries series = SeriesOf(one!, plan, now, (_, _) => true);
            return () =>
            {
                bool again = series.Prewarm();
                compiled += compiling.Contains(found.Count) ? 1 : 0;
                found.Add((series.Taken[^1].Phase == "prewarm" ? number : -1, series.Taken[^1].Iterations));
                return again;
            };
        });
        new Prewarming(plan.PrewarmNs, () => now.Ns, () => compiled).Run(turns);
        return found;
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
        BatchSeries series = SeriesOf(loop, plan, new Now(), trusted);
        series.Measure();
        return series.Taken;
    }

    /// <summary>The loop of a vector, by a clock that goes on by what its iterations cost.</summary>
    private static BatchSeries SeriesOf(
        JsonNode loop, BatchPlan plan, Now now, Func<IReadOnlyList<Batch>, long, bool> trusted)
    {
        long[] costNs = loop["cost_ns"]!.AsArray().Select(one => (long)one!).ToArray();
        int begun = 0;
        return new BatchSeries(
            plan, (int)loop["inputs"]!,
            iterations =>
            {
                now.Ns += iterations * costNs[Math.Min(begun++, costNs.Length - 1)];
                return 0;
            },
            () => now.Ns, trusted)
        {
            Audit = (bool?)loop["audited"] == true ? () => 0u : null,
        };
    }

    /// <summary>A clock that is set.</summary>
    private sealed class Now
    {
        public long Ns { get; set; }
    }
}
