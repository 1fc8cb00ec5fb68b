using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Kv;

/// <summary>The role <c>client</c>: one store, used by every lane of a trial.</summary>
public static class Clients
{
    /// <summary>Of the time allowed to stop in, the share for closing.</summary>
    private const int StopShare = 4;

    /// <summary>Is the worker of a contender; does not return.</summary>
    public static void Run<TBatch>(Func<Spec, IStore<TBatch>> make) =>
        Worker.Run(worker => Play(worker, make(worker.Spec)));

    private static void Play<TBatch>(Worker worker, IStore<TBatch> store)
    {
        Spec spec = worker.Spec;
        var reads = new Reads<TBatch>(spec, store);
        try
        {
            if (spec.Parameters.Text("connect", "before") != "timed")
            {
                reads.Connect(CancellationToken.None).GetAwaiter().GetResult();
            }
            var lanes = new TaskLanes<Batch<TBatch>, Row?[]>(worker, reads);
            lanes.Preflight();
            worker.Ready(new JsonObject
            {
                ["library"] = new JsonObject { ["name"] = store.Library.Name, ["version"] = store.Library.Version },
                ["capabilities"] = new JsonArray("lanes"),
            });
            lanes.Run();
        }
        finally
        {
            Closing.Within(spec.Limits.StopNs / StopShare, () => store.Close().AsTask());
        }
    }
}
