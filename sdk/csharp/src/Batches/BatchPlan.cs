namespace Wirelab.Batches;

/// <summary>Batches as a spec has them.</summary>
/// <param name="Steps">Names of the steps, in order.</param>
/// <param name="Timed">Operations that are repeated in loops, in order.</param>
/// <param name="Untimed">The other operations.</param>
/// <param name="Iterations">Iterations of a batch; 0 to calibrate.</param>
/// <param name="BatchNs">How long a batch is to take.</param>
/// <param name="Count">Batches to measure; 0 to time nothing.</param>
/// <param name="WarmupNs">How long to warm up at most, since calibrating began.</param>
/// <param name="PrewarmNs">
/// Processor time for which operations take turns before one of them is calibrated: the parameter <c>prewarm_ms</c>.
/// </param>
/// <param name="Agree">How far three batches may lie from their median, as a share of it.</param>
/// <param name="Inputs">Answers of other contenders.</param>
public sealed record BatchPlan(
    IReadOnlyList<string> Steps,
    IReadOnlyList<string> Timed,
    IReadOnlyList<string> Untimed,
    long Iterations,
    long BatchNs,
    long Count,
    long WarmupNs,
    long PrewarmNs,
    double Agree,
    IReadOnlyList<BatchInput> Inputs)
{
    private const long MillisecondNs = 1_000_000;

    /// <summary>The batches of <paramref name="spec"/>.</summary>
    public static BatchPlan Of(Spec spec)
    {
        Fields batches = spec.Members.Object("batches");
        ILookup<bool, string> operations =
            spec.Operations.ToLookup(one => one.Record == "batches", one => one.Name);
        return new BatchPlan(
            batches.List("steps").Select(step => step.GetString()!).ToList(),
            operations[true].ToList(),
            operations[false].ToList(),
            batches.Integer("rounds"),
            batches.Integer("batch_ns"),
            batches.Integer("count"),
            batches.Integer("warmup_ns"),
            spec.Parameters.Integer("prewarm_ms", 0) * MillisecondNs,
            batches.Number("agree"),
            spec.Members.Objects("inputs").Select(BatchInput.Of).ToList());
    }
}

/// <summary>Answers that <paramref name="Contender"/> gave in another scenario of the run.</summary>
public sealed record BatchInput(string Contender, Fields Facts, string Answers)
{
    internal static BatchInput Of(Fields fields) =>
        new(fields.Text("contender"), fields.Object("facts"), fields.Text("answers"));
}
