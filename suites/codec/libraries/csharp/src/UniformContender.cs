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

    /// <summary>What it has for a shape, whose native values are <typeparamref name="N"/>.</summary>
    protected abstract Subject Of<TShape, N>(string suite, string step)
        where TShape : struct, IShape<N>;
}
