using System.Text.Json.Nodes;
using Wirelab;
using Wirelab.Batches;

namespace Codec;

/// <summary>A worker of the role <c>codec</c>: answers and loops of every step, as the spec asks.</summary>
public sealed class CodecWorker
{
    /// <summary>Form in which folds see this language's strings.</summary>
    private const string Strings = "utf-16";

    private const long RuntimePeriodNs = 1_000_000_000;

    private readonly Worker _worker;
    private readonly Contender _contender;
    private readonly string _suite = Worker.Variable("CODEC_SUITE");
    private readonly BatchPlan _plan;
    private readonly Conformance _conformance;
    private readonly EvolutionAnswers _evolution;
    private readonly BatchRunner _runner;
    private long _reportedNs;

    private CodecWorker(Worker worker, Contender contender)
    {
        _worker = worker;
        _contender = contender;
        _plan = BatchPlan.Of(worker.Spec);
        _conformance = new Conformance(worker, _plan, _suite, contender);
        _evolution = new EvolutionAnswers(contender, _suite, worker.Answers);
        _runner = new BatchRunner(worker, _plan);
    }

    /// <summary>
    /// Works as the process's only purpose, with the contender that <paramref name="make"/> makes of the parameters;
    /// does not return.
    /// </summary>
    public static void Run(Func<Fields, Contender> make) =>
        Worker.Run(worker => new CodecWorker(worker, make(worker.Spec.Parameters)).Work());

    private void Work()
    {
        string asked = _worker.Spec.Parameters.Text("strings", Strings);
        if (asked != Strings)
        {
            throw new ContractException($"strings: C# has {Strings}, not {asked}");
        }
        List<string> changes = _plan.Steps.Where(_evolution.Has).ToList();
        List<string> large = _plan.Timed.Intersect(LargeStep.Directions).Any() ? [.. _plan.Steps] : [];
        List<Subject> subjects =
            _plan.Steps.Except(changes).Except(large).Select(step => _contender.Subject(_suite, step)).ToList();
        _worker.Ready(new JsonObject
        {
            ["library"] = new JsonObject
            {
                ["name"] = _contender.Library.Name,
                ["version"] = _contender.Library.Version,
            },
            ["facts"] = new JsonObject
            {
                ["format"] = _contender.Format,
                ["strings"] = Strings,
                ["operations"] = new JsonArray(
                    [.. subjects.Take(1).SelectMany(one => one.Operations).Select(name => JsonValue.Create(name))]),
            },
        });
        if (_worker.Commands.AwaitStart() is long startNs)
        {
            new Ticker(startNs, 1, () => _worker.Commands.Stopped).Await(0);
            subjects.ForEach(one => Step(one.Step, one.Operations, one.Loop, () => Answer(one)));
            changes.ForEach(_evolution.Give);
            large.ForEach(OfLarge);
        }
    }

    private void OfLarge(string name)
    {
        var step = new LargeStep(_contender.Large, _suite, name);
        Step(name, LargeStep.Directions, step.Loop, () => step.Answer(_worker.Answers));
    }

    private void Step(string name, IReadOnlyList<string> operations, Func<string, Loop> loop, Action answer)
    {
        // With iterations that are given, the first one of all is to be a cold one.
        bool cold = _plan.Iterations > 0;
        if (!cold && !_worker.Commands.Stopped)
        {
            answer();
        }
        if (_plan.Count > 0)
        {
            _runner.Run(name, _plan.Timed.Where(operations.Contains), loop);
            Report();
        }
        if (cold && !_worker.Commands.Stopped)
        {
            answer();
        }
    }

    private void Answer(Subject subject)
    {
        if (subject.Answers)
        {
            new Preflight(subject, _worker.Answers).Give();
            _conformance.Of(subject);
        }
    }

    /// <summary>Says how the runtime is, at most once a second.</summary>
    private void Report()
    {
        if (Clock.Now - _reportedNs >= RuntimePeriodNs)
        {
            _reportedNs = Clock.Now;
            _worker.Report();
        }
    }
}
