using System.Text.Json.Nodes;

namespace Wirelab.Batches;

/// <summary>The operations of a step, as the contract's <i>Batch loops</i> say.</summary>
public sealed class BatchRunner(Worker worker, BatchPlan plan)
{
    private const int MessageLimit = 500;

    private readonly Commands _commands = worker.Commands;

    /// <summary>
    /// Runs operations of <paramref name="step"/>, whose loops <paramref name="make"/> makes. What was measured is
    /// written when all of it is over: what writes it would be compiled while the next operation is measured.
    /// </summary>
    public void Run(string step, IEnumerable<string> operations, Func<string, Loop> make)
    {
        List<Repeated> all = operations.Select(operation => new Repeated(operation)).ToList();
        foreach (Repeated one in all)
        {
            Attempt(one, () => one.Series = SeriesOf(plan, make(one.Operation)));
        }
        if (plan.Iterations == 0)
        {
            new Prewarming(plan.PrewarmNs, () => RuntimeFigures.ProcessorNs, () => RuntimeFigures.Now().CompileNs)
                .Run([.. all.Select<Repeated, Func<bool>>(one => () => Prewarm(one)), () => Rehearse(all)]);
        }
        foreach (Repeated one in all)
        {
            Attempt(one, () => one.Series!.Measure());
        }
        foreach (Repeated one in all)
        {
            Write(step, one);
        }
    }

    private BatchSeries SeriesOf(BatchPlan asked, Loop loop) =>
        new(
            asked, loop.Size, iterations => loop.Run(iterations, _commands), () => Clock.Now,
            (last, sinceNs) => Trusted(asked, last, sinceNs))
        {
            Audit = loop.Audit,
        };

    /// <summary>
    /// Methods are compiled again beside the loop, and batches of equally slow code agree well while better code is
    /// still being made. So agreement does not count in the first half of the time, nor while a compiler worked.
    /// </summary>
    private static bool Trusted(BatchPlan asked, IReadOnlyList<Batch> last, long sinceNs) =>
        sinceNs >= asked.WarmupNs / 2 && last.All(batch => batch.Cost.CompileNs == 0);

    /// <summary>Takes a turn of <paramref name="one"/>; whether there may be another.</summary>
    private bool Prewarm(Repeated one)
    {
        one.HasTurns = false;
        Attempt(one, () => one.HasTurns = one.Series!.Prewarm());
        return one.HasTurns;
    }

    /// <summary>
    /// Takes batches of nothing: what takes batches is called so seldom that it would be compiled while some of them
    /// count. A turn like the others, as long as one of <paramref name="all"/> has any.
    /// </summary>
    private bool Rehearse(List<Repeated> all)
    {
        BatchPlan brief = plan with { BatchNs = 2_000, WarmupNs = 60_000, Count = 20 };
        try
        {
            SeriesOf(brief, new NoWork()).Measure();
        }
        catch (LoopStopped)
        {
            return false;
        }
        return all.Exists(one => one.HasTurns);
    }

    /// <summary>Does <paramref name="part"/> unless something failed already, or the core said stop.</summary>
    private void Attempt(Repeated one, Action part)
    {
        if (one.Failure is not null || _commands.Stopped)
        {
            return;
        }
        try
        {
            part();
        }
        catch (LoopStopped)
        {
            // What was measured before is written nevertheless.
        }
        catch (Exception thrown)
        {
            one.Failure = thrown;
        }
    }

    private void Write(string step, Repeated one)
    {
        LineFile file = worker.Batches ?? throw new ContractException("paths.batches: missing");
        if (one.Failure is Exception failure)
        {
            string message = failure.Message;
            file.Write(new JsonObject
            {
                ["step"] = step,
                ["operation"] = one.Operation,
                ["phase"] = "failed",
                ["class"] = failure.GetType().Name,
                ["message"] = message[..Math.Min(MessageLimit, message.Length)],
            });
            return;
        }
        foreach (Batch batch in one.Series?.Taken ?? [])
        {
            file.Write(batch.Line(step, one.Operation));
        }
    }

    /// <summary>An operation on its way through the phases.</summary>
    private sealed class Repeated(string operation)
    {
        public string Operation => operation;

        public BatchSeries? Series { get; set; }

        public Exception? Failure { get; set; }

        /// <summary>True where it may take another turn of the prewarming.</summary>
        public bool HasTurns { get; set; }
    }

    /// <summary>A loop that does nothing.</summary>
    private sealed class NoWork() : Loop(1)
    {
        protected override uint Pass(int iterations) => 0;
    }
}
