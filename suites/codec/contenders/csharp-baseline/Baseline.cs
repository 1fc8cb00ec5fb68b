using System.Text;
using Codec;
using Wirelab.Batches;

CodecWorker.Run(_ => new Baseline());

/// <summary>Copies as many bytes as an encoding has, and folds values that are there already.</summary>
internal sealed class Baseline : UniformContender
{
    public override (string Name, string Version) Library => ("C#", Environment.Version.ToString());

    public override string Format => "none";

    protected override Subject Of<TShape, N>(string suite, string step) =>
        new BaselineSubject<TShape, N>(step, Pool<TShape, N>(suite, step), Lengths(suite, step));

    /// <summary>A quarter of what each instance has as JSON.</summary>
    private static int[] Lengths(string suite, string step)
    {
        const int Least = 8;
        const int TextShare = 4;
        return [.. Codec.Subject.Pool(suite, step)
            .Select(instance => Math.Max(Least, Encoding.UTF8.GetByteCount(instance.GetRawText()) / TextShare))];
    }
}

/// <summary><c>copy</c> and <c>touch</c> of a shape.</summary>
internal sealed class BaselineSubject<TShape, N>(string step, N[] values, int[] lengths)
    : Subject(step, values.Length)
    where TShape : struct, IShape<N>
{
    public override IReadOnlyList<string> Operations => ["copy", "touch"];

    public override bool Answers => false;

    public override Loop Loop(string operation) => operation switch
    {
        "copy" => new CopyLoop(lengths),
        "touch" => new TouchLoop<TShape, N>(values),
        _ => throw Unknown(operation),
    };
}

/// <summary>A new array with the first bytes of a prepared one.</summary>
internal sealed class CopyLoop(int[] lengths) : KeepingLoop(lengths.Length)
{
    private const int Modulus = 251;

    private readonly byte[] _prepared =
        [.. Enumerable.Range(0, lengths.Max()).Select(place => (byte)(place % Modulus))];

    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            byte[] copy = _prepared.AsSpan(0, lengths[i]).ToArray();
            sum += Fold.Of(copy);
            Keep(copy);
        }
        return sum;
    }
}

/// <summary>The fold of a native value that is there already.</summary>
internal sealed class TouchLoop<TShape, N>(N[] values) : KeepingLoop(values.Length)
    where TShape : struct, IShape<N>
{
    protected override uint Pass(int iterations)
    {
        uint sum = 0;
        for (int i = 0; i < iterations; i++)
        {
            N value = values[i];
            sum += default(TShape).Fold(value);
            Keep(value);
        }
        return sum;
    }
}
