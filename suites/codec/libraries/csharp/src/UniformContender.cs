namespace Codec;

/// <summary>A contender that does the same with the native values of every shape.</summary>
public abstract class UniformContender : Contender
{
    /// <inheritdoc/>
    public sealed override Subject Subject(string suite, string step) => step switch
    {
        "T1" => Of<T1Shape, T1>(suite, step),
        "T2" => Of<T2Shape, T2>(suite, step),
        "T3" => Of<T3Shape, List<int>>(suite, step),
        "T4" => Of<T4Shape, List<string>>(suite, step),
        "T5" => Of<T5Shape, Dictionary<string, List<int>>>(suite, step),
        "telemetry" => Of<TelemetryShape, Telemetry>(suite, step),
        "chat" => Of<ChatShape, Chat>(suite, step),
        _ => throw Unknown(step),
    };

    /// <inheritdoc/>
    public sealed override IVersion Version(string name) => name switch
    {
        "base" => new NativeVersion<Base>(OfVersion<Base>()),
        "added" => new NativeVersion<Added>(OfVersion<Added>()),
        "removed" => new NativeVersion<Removed>(OfVersion<Removed>()),
        "reordered" => new NativeVersion<Reordered>(OfVersion<Reordered>()),
        "renamed" => new NativeVersion<Renamed>(OfVersion<Renamed>()),
        "widened" => new NativeVersion<Widened>(OfVersion<Widened>()),
        "retyped" => new NativeVersion<Retyped>(OfVersion<Retyped>()),
        "enumeration" => new NativeVersion<Enumeration>(OfVersion<Enumeration>()),
        "required" => new NativeVersion<Required>(OfVersion<Required>()),
        _ => throw new ArgumentException($"no version is called {name}"),
    };

    /// <summary>Its codec of a version's class, for who has the capability <c>evolution</c>.</summary>
    protected virtual INativeCodec<V> OfVersion<V>()
        where V : class => throw new NotSupportedException("it has no versions of the record");

    /// <summary>Subject that it has for a shape, whose native values are <typeparamref name="N"/>.</summary>
    protected abstract Subject Of<TShape, N>(string suite, string step)
        where TShape : struct, IShape<N>;
}
