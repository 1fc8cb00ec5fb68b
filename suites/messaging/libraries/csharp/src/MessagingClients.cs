using System.Text.Json.Nodes;
using Wirelab.Lanes;

namespace Wirelab.Messaging;

/// <summary>The role <c>client</c>: all users of a trial in one process, on a closed or an open loop.</summary>
public static class MessagingClients
{
    /// <summary>
    /// Share of the time allowed to stop in: half for users to leave, a quarter for what they shared.
    /// </summary>
    private const int LeavingShare = 2;

    private const int ClosingShare = 4;

    /// <summary>Is the worker of a contender; does not return.</summary>
    public static void Run(Func<Spec, ITransport> make) => Worker.Run(worker => Play(worker, make(worker.Spec)));

    private static void Play(Worker worker, ITransport transport)
    {
        Spec spec = worker.Spec;
        // Without steps one user sends; the others only get what it sends.
        int users = spec.Parameters.Has("users") ? spec.Parameters.Within("users", 1, ushort.MaxValue) : 1;
        var schedule = new LaneSchedule(spec, users);
        var messages = new Message(Secret.Taken(), spec.Seed);
        try
        {
            using var deliveries = new Deliveries(
                messages, spec.Paths.Intervals, !schedule.Closed, spec.Operations.Any(one => one.Name == "send"));
            var work = new Users(worker, transport, messages, deliveries, schedule);
            var lanes = new TaskLanes<AskedMessages, byte[]>(worker, work, schedule);
            if (spec.Verify.Preflight.Any(one => one is { Operation: "echo", Calls: > 0 }))
            {
                Preflight(spec, lanes, work.All[0]);
            }
            worker.Ready(new JsonObject
            {
                ["library"] = new JsonObject
                {
                    ["name"] = transport.Library.Name,
                    ["version"] = transport.Library.Version,
                },
                ["capabilities"] = new JsonArray("lanes"),
            });
            lanes.Run();
            work.TryPromises();
            // Side by side, and not longer than the limit: a broker may hang.
            Closing.Within(spec.Limits.StopNs / LeavingShare, () => Task.WhenAll(work.All.Select(user => user.Leave())));
        }
        finally
        {
            Closing.Within(spec.Limits.StopNs / ClosingShare, transport.Close);
        }
    }

    /// <summary>Connects before the first call, whose limit is not meant for a library's start.</summary>
    private static void Preflight(Spec spec, TaskLanes<AskedMessages, byte[]> lanes, User first)
    {
        try
        {
            using var limit = new CancellationTokenSource(
                TimeSpan.FromTicks(spec.Limits.ReadyNs / TimeSpan.NanosecondsPerTick));
            first.Connect(limit.Token).GetAwaiter().GetResult();
        }
        catch (Exception why)
        {
            throw new WorkerFailure("echo", Fault.OfCall(why, ""));
        }
        lanes.Preflight();
        first.Leave().GetAwaiter().GetResult();
    }
}
