using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Harness;

/// <summary>Does nothing in a lane, or records a batch of samples.</summary>
internal sealed class HarnessLanes(Fillers? fillers) : ILaneWork<Operation, bool>
{
    private static readonly Task<bool> Done = Task.FromResult(true);

    public IReadOnlyCollection<string> Operations => [HarnessClient.Nothing, HarnessClient.Batch];

    /// <summary>Plays the role <c>client</c>.</summary>
    public static void Play(Worker worker)
    {
        bool records = worker.Spec.Operations.Any(operation => operation.Name == HarnessClient.Batch);
        Fillers? fillers = records
            ? new Fillers(Path.Combine(worker.Spec.Paths.Scratch, "fillers.samples"))
            : null;
        var lanes = new TaskLanes<Operation, bool>(worker, new HarnessLanes(fillers));
        worker.Ready(new JsonObject
        {
            ["library"] = new JsonObject { ["name"] = "wirelab-sdk-csharp", ["version"] = "0.1.0" },
            ["capabilities"] = new JsonArray("lanes"),
        });
        lanes.Run();
        fillers?.Close();
    }

    public Operation Prepare(LaneCall call) => call.Operation;

    public Task<bool> Call(Operation operation, LaneCall call, CancellationToken limit)
    {
        fillers?.Record(operation.Items, operation.Code);
        return Done;
    }

    public Outcome Judge(LaneCall call, bool answer) => Outcome.Ok;

    public Outcome Explain(LaneCall call, Exception thrown) =>
        Outcome.Failed(Status.Error, Fault.OfCall(thrown, ""));
}
