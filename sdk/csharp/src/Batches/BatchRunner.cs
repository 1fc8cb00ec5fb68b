using System.Text.Json.Nodes;

namespace Wirelab.Batches;

/// <summary>
/// The operations of a step, as the contract's <i>Batch loops</i> say; and before, as they do not, all of them are
/// repeated for <c>prewarm_ms</c> of processor time. In the tens of milliseconds that a short profile warms up,
/// methods run as their first, quick compilation left them.
/// </summary>
public sealed class BatchRunner(Worker worker, BatchPlan plan)
{
    private const int MessageLimit = 500;

    private readonly Commands _commands = worker.Commands;

    /// <summary>
    /// Runs operations of <paramref name="step"/>, whose loops <paramref name="make"/> makes; what was measured of
    /// each is written when it is over.
    /// </summary>
    public void Run(string step, IEnumerable<string> operations, Func<string, Loop> make)
    {
        List<Repeated> all = operations.Select(operation => new Repeated(operation)).ToList();
        foreach (Repeated one in all)
        {
            Attempt(one, () => one.Series = SeriesOf(make(one.Operation)));
        }
        if (plan.Rounds == 0)
        {
            foreach (Repeated one in all)
            {
                Attempt(one, () => one.Series!.Prewarm(plan.PrewarmNs / all.Count));
            }
        }
        foreach (Repeated one in all)
        {
            Attempt(one, () => one.Series!.Measure());
            Write(step, one);
        }
    }

    private BatchSeries SeriesOf(Loop loop) =>
        new(plan, loop.Size, rounds => loop.Run(rounds, _commands), () => Clock.Now, Trusted);

    /// <summary>
    /// Methods are compiled again beside the loop, and batches of equally slow code agree well while better code is
    /// still being made. So agreement does not count in the first half of the time, nor while a compiler worked.
    /// </summary>
    private bool Trusted(IReadOnlyList<Batch> last, long sinceNs) =>
        sinceNs >= plan.WarmupNs / 2 && last.All(batch => batch.Cost.CompileNs == 0);

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
    }
}
