namespace Wirelab;

/// <summary>Scope of a fault: a whole call, one item of a batch, or the worker, which gives up.</summary>
public enum Scope
{
    Call,
    Item,
    Fatal,
}

/// <summary>Something that went wrong, in the words of the library.</summary>
/// <param name="Scope">What it concerns.</param>
/// <param name="Kind">The class the caller sees, such as the name of an exception.</param>
/// <param name="Status">The library's own name of the status; empty where it has none.</param>
/// <param name="Message">The library's message.</param>
public sealed record Fault(Scope Scope, string Kind, string Status, string Message)
{
    /// <summary>A failed call, as <paramref name="thrown"/> says it.</summary>
    public static Fault OfCall(Exception thrown, string status) =>
        new(Scope.Call, thrown.GetType().Name, status, thrown.Message);

    /// <summary>The same fault, as the reason why the worker gives up.</summary>
    public Fault Fatal() => this with { Scope = Scope.Fatal };
}

/// <summary>The worker cannot play its part; the core is told why, and the worker exits with 1.</summary>
/// <param name="operation">The operation in which it happened; empty for none.</param>
/// <param name="fault">What went wrong.</param>
public sealed class WorkerFailure(string operation, Fault fault)
    : Exception($"{operation}: {fault.Kind} {fault.Status} {fault.Message}")
{
    /// <summary>The operation in which it happened.</summary>
    public string Operation => operation;

    /// <summary>The fault that occurred.</summary>
    public Fault Fault => fault.Fatal();
}
