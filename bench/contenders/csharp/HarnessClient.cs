using Wirelab;
using Wirelab.Harness;

if (args is ["lanes"])
{
    Worker.Run(HarnessLanes.Play);
}
else
{
    PacedClient.Run(spec => new HarnessClient(spec));
}

/// <summary>Does nothing at a tick, or records a batch of samples.</summary>
internal sealed class HarnessClient : IClient
{
    internal const string Nothing = "nothing";
    internal const string Batch = "batch";

    private static readonly Task<Outcome> Done = Task.FromResult(Outcome.Ok);

    private readonly Operation? _batch;
    private readonly Fillers? _fillers;

    public HarnessClient(Spec spec)
    {
        _batch = spec.Operations.FirstOrDefault(operation => operation.Name == Batch);
        _fillers = _batch is null ? null : new Fillers(Path.Combine(spec.Paths.Scratch, "fillers.samples"));
    }

    public IReadOnlyCollection<string> Operations => [Nothing, Batch];

    public (string Name, string Version) Library => ("wirelab-sdk-csharp", "0.1.0");

    public IReadOnlyCollection<string> Capabilities => [];

    public bool Connected => true;

    public Request Prepare(string operation, Turn turn) =>
        operation == Nothing || _batch is null
            ? () => Done
            : () =>
            {
                _fillers?.Record(_batch.Items, _batch.Code);
                return Done;
            };

    public Request PrepareConnect() => () => Done;

    public Outcome Failed(Exception thrown) => Outcome.Failed(Status.Error, Fault.OfCall(thrown, ""));

    public Task Disconnect()
    {
        _fillers?.Close();
        return Done;
    }
}
