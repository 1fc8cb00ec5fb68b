using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>
/// A client on the core's ticks: connects, performs the preflight, says <c>ready</c>, and at every tick sends the
/// operations due together. The next tick waits until all of them are settled; when that makes it late it is
/// performed at once, and none is skipped.
/// </summary>
public sealed class PacedClient
{
    private const string Connect = "connect";

    /// <summary>Connecting without the operation <c>connect</c> has a limit, but no record.</summary>
    private static readonly Operation UntimedConnect = new(Connect, 0, 1, 1, "tick", "samples");

    /// <summary>
    /// Share of the time allowed to stop in that is for the operation under way, and again for disconnecting; the rest
    /// is for writing and for the runtime to end.
    /// </summary>
    private const int StopShare = 4;

    private readonly Worker _worker;
    private readonly Spec _spec;
    private readonly IClient _client;

    private PacedClient(Worker worker, IClient client)
    {
        _worker = worker;
        _spec = worker.Spec;
        _client = client;
    }

    private bool Stopped => _worker.Commands.Stopped;

    private bool ConnectIsTimed => _spec.Parameters.Text("connect", "before") == "timed";

    private long StopShareNs => _spec.Limits.StopNs / StopShare;

    /// <summary>Runs the client that <paramref name="make"/> makes as the process's only purpose; does not return.</summary>
    public static void Run(Func<Spec, IClient> make) => Worker.Run(worker => Play(worker, make(worker.Spec)));

    /// <summary>Plays the client of a worker that can play other parts as well.</summary>
    public static void Play(Worker worker, IClient client) => new PacedClient(worker, client).Play();

    private void Play()
    {
        RefuseUnknownOperations();
        if (!ConnectIsTimed)
        {
            FailUnlessAnswered(Performed(UntimedConnect, _client.PrepareConnect()));
        }
        Preflight();
        if (!Stopped)
        {
            _worker.Ready(new JsonObject
            {
                ["library"] = new JsonObject
                {
                    ["name"] = _client.Library.Name,
                    ["version"] = _client.Library.Version,
                },
                ["capabilities"] = new JsonArray([.. _client.Capabilities.Select(one => (JsonNode)one)]),
            });
            if (_worker.Commands.AwaitStart() is long startNs)
            {
                RunTicks(startNs);
            }
        }
        Disconnect();
    }

    private void RefuseUnknownOperations()
    {
        string? unknown = _spec.Operations.Select(operation => operation.Name)
            .FirstOrDefault(name => name != Connect && !_client.Operations.Contains(name));
        if (unknown is not null)
        {
            string known = string.Join(", ", _client.Operations);
            throw new ContractException($"operations.{unknown}: this client has {known}");
        }
    }

    private void Preflight()
    {
        foreach ((string name, int calls) in _spec.Verify.Preflight)
        {
            Operation operation = _spec.Operations.FirstOrDefault(one => one.Name == name)
                ?? throw new ContractException($"verify.preflight: no operation {name}");
            for (int index = 0; index < calls && !Stopped; index++)
            {
                var turn = new Turn(Phase.Preflight, index);
                Call call = Performed(operation, _client.Prepare(name, turn));
                FailUnlessAnswered(call);
                WriteAnswer(call, turn);
            }
        }
    }

    private void RunTicks(long startNs)
    {
        Asked.Kept kept = _worker.Asked.Lane(0);
        Schedule schedule = _spec.Schedule;
        var ticker = new Ticker(startNs + schedule.FirstNs, schedule.PeriodNs, () => Stopped);
        _worker.ReportFrom(ticker.IntendedNs(0) + schedule.PeriodNs / 2);
        for (long tick = 0; tick < schedule.Count; tick++)
        {
            var turn = new Turn(Phase.Measure, tick);
            var calls = new List<(Call Call, Request Request)>();
            foreach (Operation operation in DueAt(tick))
            {
                calls.Add((NewCall(operation, ticker.IntendedNs(tick), Record), Prepared(operation, turn)));
            }
            if (!ticker.Await(tick))
            {
                return;
            }
            kept.Begin();
            foreach ((Call call, Request request) in calls)
            {
                call.Begin(request);
            }
            foreach ((Call call, _) in calls)
            {
                call.Await(call.StartNs + _spec.Limits.OperationNs, StopShareNs);
            }
            foreach ((Call call, _) in calls)
            {
                Tell(call);
            }
            kept.End(calls.Select(one => ResultOf(one.Call, turn)).ToList());
        }
    }

    private IEnumerable<Operation> DueAt(long tick)
    {
        bool mustConnect = ConnectIsTimed && !_client.Connected;
        return _spec.Operations.Where(one => one.DueAt(tick) && one.Name == Connect == mustConnect);
    }

    private Request Prepared(Operation operation, Turn turn) =>
        operation.Name == Connect ? _client.PrepareConnect() : _client.Prepare(operation.Name, turn);

    private Call NewCall(Operation operation, long intendedNs, Action<Call> settled) =>
        new(operation, _client, _worker.Commands, intendedNs, settled);

    /// <summary>A call before <c>ready</c>: a cold runtime may take as long as the worker has to get ready.</summary>
    private Call Performed(Operation operation, Request request)
    {
        Call call = NewCall(operation, 0, _ => { });
        call.Begin(request);
        call.Await(call.StartNs + _spec.Limits.ReadyNs, StopShareNs);
        return call;
    }

    private void Record(Call call) =>
        _worker.Recorder.Record(
            call.IntendedNs, call.StartNs, call.EndNs, call.Outcome.Size, call.Operation.Code,
            (byte)call.Outcome.Status, 0);

    private void Tell(Call call)
    {
        foreach (Fault fault in call.Outcome.Faults)
        {
            _worker.Events.Error(fault, call.Operation.Name, call.IntendedNs, call.EndNs);
        }
    }

    private static Result ResultOf(Call call, Turn turn) =>
        new(call.Operation.Name, turn.Index, call.StartNs, call.EndNs, call.Outcome.Answer);

    private void WriteAnswer(Call call, Turn turn)
    {
        if (call.Outcome.Answer is not null)
        {
            string phase = turn.Phase.ToString().ToLowerInvariant();
            _worker.Answer(
                phase, call.Operation.Name, turn.Index, call.StartNs, call.EndNs, call.Outcome.Answer());
        }
    }

    /// <summary>Without an answer before <c>ready</c> the worker ends; bad items are the verifier's.</summary>
    private void FailUnlessAnswered(Call call)
    {
        if (call.Outcome.Status is not (Status.Ok or Status.ItemError) && !Stopped)
        {
            throw new WorkerFailure(call.Operation.Name, call.Outcome.Faults[0]);
        }
    }

    private void Disconnect()
    {
        try
        {
            if (!_client.Disconnect().Wait(TimeSpan.FromTicks(StopShareNs / TimeSpan.NanosecondsPerTick)))
            {
                Console.Error.WriteLine("disconnecting was given up: the server does not answer");
            }
        }
        catch (AggregateException failed)
        {
            Console.Error.WriteLine($"disconnecting failed: {failed.InnerException}");
        }
    }
}
