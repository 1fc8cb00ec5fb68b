using System.Net;
using System.Text.RegularExpressions;

namespace Wirelab;

/// <summary>Work of one worker in one trial: the typed view of the file <c>WIRELAB_SPEC</c>.</summary>
public sealed partial record Spec(
    string Trial,
    string Suite,
    string Scenario,
    string Variant,
    string Contender,
    string Role,
    long Seed,
    Fields Parameters,
    string Listen,
    Fields Endpoints,
    Fields Facts,
    IReadOnlyList<Operation> Operations,
    Schedule Schedule,
    Verify Verify,
    Paths Paths,
    Limits Limits,
    Fields Members)
{
    /// <summary>The version of the worker contract spoken here.</summary>
    internal const int Contract = 2;

    /// <summary>The spec in the file at <paramref name="path"/>.</summary>
    public static Spec Load(string path) => Of(Fields.Of(File.ReadAllBytes(path)));

    /// <summary>The spec with these members; throws <see cref="ContractException"/> where it is none.</summary>
    public static Spec Of(Fields root)
    {
        Fields paths = root.Object("paths");
        Fields limits = root.Object("limits");
        Fields parameters = root.ObjectOrEmpty("parameters");
        long contract = root.Integer("contract");
        if (contract != Contract)
        {
            throw new ContractException($"contract: expected {Contract}, found {contract}");
        }
        return new Spec(
            root.Text("trial"),
            root.Text("suite"),
            root.Text("scenario"),
            root.Text("variant", ""),
            root.Text("contender"),
            root.Text("role"),
            root.Integer("seed", 0),
            parameters,
            root.Text("listen", "127.0.0.1:0"),
            root.ObjectOrEmpty("endpoints"),
            root.ObjectOrEmpty("facts"),
            OperationsOf(root.ObjectOrEmpty("operations")),
            Schedule.Of(root.Object("schedule"), parameters),
            Verify.Of(root.ObjectOrEmpty("verify")),
            new Paths(
                paths.Text("samples"), paths.Text("answers"), paths.Text("intervals", ""),
                paths.Text("batches", ""), paths.Text("scratch")),
            new Limits(
                limits.Integer("ready_ns"), limits.Integer("operation_ns"), limits.Integer("stop_ns")),
            root);
    }

    /// <summary>
    /// The address of a role. Endpoints are recorded, so a login for a server of the user's own is in the environment
    /// alone: in the place of the names of variables stand their values.
    /// </summary>
    public string EndpointOf(string role) =>
        FromEnvironment().Replace(
            Endpoints.Text(role),
            found => Uri.EscapeDataString(Environment.GetEnvironmentVariable(found.Groups[1].Value) ?? ""));

    /// <summary>Address at which a server is to bind; port 0 lets the system choose.</summary>
    public IPEndPoint ListenAddress() =>
        IPEndPoint.TryParse(Listen, out IPEndPoint? address) && Listen.Contains(':')
            ? address
            : throw new ContractException($"listen: expected HOST:PORT, found {Listen}");

    [GeneratedRegex(@"\$\{(WIRELAB_[A-Z0-9_]+)\}")]
    private static partial Regex FromEnvironment();

    private static List<Operation> OperationsOf(Fields byName) =>
        byName.Names.Select(name =>
        {
            Fields fields = byName.Object(name);
            return new Operation(
                name,
                (byte)fields.Within("code", 1, 255),
                fields.Has("every") ? fields.Within("every", 1, int.MaxValue) : 1,
                fields.Has("items") ? fields.Within("items", 1, int.MaxValue) : 1,
                fields.Text("due", "tick"),
                fields.Text("record", "samples"));
        }).ToList();
}

/// <summary>A kind of timed call.</summary>
/// <param name="Name">Its name in the scenario.</param>
/// <param name="Code">The op byte of its records.</param>
/// <param name="Every">Due at every tick that this divides.</param>
/// <param name="Items">Items of one call.</param>
/// <param name="Due"><c>tick</c>, <c>join</c> or <c>step</c>.</param>
/// <param name="Record"><c>samples</c>; <c>intervals</c> for what is only counted; <c>batches</c>, <c>answers</c>.</param>
public sealed record Operation(string Name, byte Code, int Every, int Items, string Due, string Record)
{
    /// <summary>Tells whether it is due at <paramref name="tick"/>.</summary>
    public bool DueAt(long tick) => tick % Every == 0;
}

/// <summary>Number of times that operations are performed, and answered, before ready.</summary>
public sealed record Verify(IReadOnlyList<(string Operation, int Calls)> Preflight)
{
    internal static Verify Of(Fields fields)
    {
        Fields calls = fields.ObjectOrEmpty("preflight");
        return new Verify(calls.Names.Select(name => (name, calls.Within(name, 0, int.MaxValue))).ToList());
    }
}

/// <summary>The files to write; empty where the role has none.</summary>
public sealed record Paths(string Samples, string Answers, string Intervals, string Batches, string Scratch);

/// <summary>The longest times allowed, in nanoseconds.</summary>
public sealed record Limits(long ReadyNs, long OperationNs, long StopNs);
