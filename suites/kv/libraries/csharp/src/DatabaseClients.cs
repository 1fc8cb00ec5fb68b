using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Kv;

/// <summary>The role <c>client</c>: one store, used by every lane of a trial.</summary>
public static class DatabaseClients
{
    /// <summary>The operation that is done with single records; of all other scenarios it is <c>read</c>.</summary>
    internal const string OfRecords = "ycsb";

    /// <summary>Share of the time allowed to stop in that is for closing.</summary>
    private const int StopShare = 4;

    /// <summary>Is the worker of a contender; does not return.</summary>
    public static void Run<TMultiGet>(Func<Spec, IStore<TMultiGet>> make) =>
        Worker.Run(worker => Play(worker, make(worker.Spec)));

    private static void Play<TMultiGet>(Worker worker, IStore<TMultiGet> store)
    {
        Spec spec = worker.Spec;
        try
        {
            if (spec.Operations.Any(operation => operation.Name == OfRecords))
            {
                IRecordStore<TMultiGet> records = store as IRecordStore<TMultiGet>
                    ?? throw new ContractException($"{OfRecords}: this client has no records");
                store.Connect(CancellationToken.None).GetAwaiter().GetResult();
                CarryOut(worker, store, new Records<TMultiGet>(new Draws(spec), records));
                return;
            }
            var reads = new Reads<TMultiGet>(spec, store);
            if (spec.Parameters.Text("connect", "before") != "timed")
            {
                reads.Connect(CancellationToken.None).GetAwaiter().GetResult();
            }
            CarryOut(worker, store, reads);
        }
        finally
        {
            Closing.Within(spec.Limits.StopNs / StopShare, () => store.Close().AsTask());
        }
    }

    private static void CarryOut<TMultiGet, TAsked, TAnswer>(
        Worker worker, IStore<TMultiGet> store, ILaneWork<TAsked, TAnswer> work)
    {
        var lanes = new TaskLanes<TAsked, TAnswer>(worker, work);
        lanes.Preflight();
        worker.Ready(new JsonObject
        {
            ["library"] = new JsonObject { ["name"] = store.Library.Name, ["version"] = store.Library.Version },
            ["capabilities"] = new JsonArray("lanes"),
        });
        lanes.Run();
    }
}
