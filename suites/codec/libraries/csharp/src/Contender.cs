namespace Codec;

/// <summary>Subject of a measurement: a library with a codec for each shape, or a baseline.</summary>
public abstract class Contender
{
    /// <summary>Name and version of the library.</summary>
    public abstract (string Name, string Version) Library { get; }

    /// <summary>The format that it writes, in the words of the suite.</summary>
    public abstract string Format { get; }

    /// <summary>True where bad input would have it read memory that is not its own, so that it gets none.</summary>
    public virtual bool TrustsInput => false;

    /// <summary>Subject that it has for a step, whose pool is in the folder <paramref name="suite"/>.</summary>
    public abstract Subject Subject(string suite, string step);

    /// <summary>A program of a version of the record of <c>evolution</c>, for who has that capability.</summary>
    public virtual IVersion Version(string name) => throw new NotSupportedException("it has no versions of the record");

    /// <summary>Its calls for large messages, for who has that capability.</summary>
    public virtual ILargeCodec Large => throw new NotSupportedException("it has no large messages");

    /// <summary>The version of the package that has <paramref name="type"/>.</summary>
    protected static string VersionOf(Type type) =>
        type.Assembly.GetCustomAttributes(typeof(System.Reflection.AssemblyInformationalVersionAttribute), false)
            .Cast<System.Reflection.AssemblyInformationalVersionAttribute>()
            .Select(found => found.InformationalVersion.Split('+')[0])
            .FirstOrDefault("unknown");

    /// <summary>The pool of a shape as native values.</summary>
    protected static N[] Pool<TShape, N>(string suite, string step)
        where TShape : struct, IShape<N> =>
        [.. Codec.Subject.Pool(suite, step).Select(default(TShape).Read)];

    /// <summary>Instances that steps of codecs work on.</summary>
    private static Instances<N> InstancesOf<TShape, N>(string suite, string step)
        where TShape : struct, IShape<N>
    {
        string twins = Path.Combine("twins", step);
        return new Instances<N>(
            Pool<TShape, N>(suite, step), Pool<TShape, N>(suite, twins), Pool<TShape, N>(suite, step),
            Pool<TShape, N>(suite, twins));
    }

    /// <summary>A step of a codec of native values.</summary>
    protected static Subject Native<TCodec, TShape, N>(string suite, string step, TCodec codec)
        where TCodec : struct, INativeCodec<N>
        where TShape : struct, IShape<N> =>
        new NativeSubject<TCodec, TShape, N>(step, InstancesOf<TShape, N>(suite, step), codec);

    /// <summary>A step of a codec with messages of its own, which it may fill again.</summary>
    protected static Subject Messages<TCodec, TShape, N, M>(
        string suite, string step, Func<TCodec> make, bool reused)
        where TCodec : struct, IMessageCodec<N, M>
        where TShape : struct, IShape<N> =>
        new MessageSubject<TCodec, TShape, N, M>(
            step, InstancesOf<TShape, N>(suite, step), make, reused);

    /// <summary>Error about a step that the suite has and this harness does not.</summary>
    protected static ArgumentException Unknown(string step) => new($"no shape is called {step}");
}
