using System.Text.Json.Nodes;

namespace Wirelab;

/// <summary>
/// A server on the core's commands: starts, says <c>ready</c> with its endpoint and facts, serves until it is told
/// to stop, and closes. It performs no operations, so it records none.
/// </summary>
public static class ServingPart
{
    private const long RuntimePeriodNs = 1_000_000_000;

    /// <summary>
    /// Share of the time allowed to stop in that closing may take: a half; the rest is for the runtime to end.
    /// </summary>
    private const int StopShare = 2;

    /// <summary>Runs the server that <paramref name="start"/> starts as the process's only purpose; does not return.</summary>
    public static void Run(Func<Spec, Task<IServer>> start) =>
        Worker.Run(worker => Play(worker, start(worker.Spec).GetAwaiter().GetResult()));

    private static void Play(Worker worker, IServer server)
    {
        worker.Ready(new JsonObject
        {
            ["library"] = new JsonObject
            {
                ["name"] = server.Library.Name,
                ["version"] = server.Library.Version,
            },
            ["endpoint"] = server.Endpoint,
            ["facts"] = server.Facts,
        });
        worker.ReportFrom(Clock.Now + RuntimePeriodNs);
        worker.Commands.AwaitStop();
        Closing.Within(worker.Spec.Limits.StopNs / StopShare, server.Close);
    }
}
