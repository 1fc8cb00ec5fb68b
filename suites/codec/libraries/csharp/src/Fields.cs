namespace Codec;

/// <summary>Takes the fields of a value one after the other, in the order of its shape.</summary>
/// <remarks>Writers and readers are structs, so that a walk is compiled for each of them, without a call by interface.</remarks>
public interface IFieldWriter
{
    void Number<T>(T value)
        where T : unmanaged;

    void Flag(bool value);

    void Text(string value);

    /// <summary>A text that may be left out.</summary>
    void OptionalText(string? value);

    void Integers(List<int> values);

    void Texts(List<string> values);

    void Lists(Dictionary<string, List<int>> values);

    /// <summary>
    /// The count before elements that follow; false: they need not follow, as all is known of elements of a fixed size.
    /// </summary>
    bool Count(int count, Element element);
}

/// <summary>Gives the fields of a value one after the other, in the order of its shape; throws where there are none.</summary>
public interface IFieldReader
{
    T Number<T>()
        where T : unmanaged;

    bool Flag();

    string Text();

    /// <summary>A text that may have been left out: null, then.</summary>
    string? OptionalText();

    List<int> Integers();

    List<string> Texts();

    Dictionary<string, List<int>> Lists();

    /// <summary>The count before elements that follow.</summary>
    int Count(Element element);
}

/// <summary>Content of each of several elements: bytes of numbers, texts, and lists.</summary>
public readonly record struct Element(int Numbers, int Texts = 0, int Lists = 0)
{
    /// <summary>True where all of them are of one size.</summary>
    public bool IsFixed => Texts + Lists == 0;
}

/// <summary>The fields of a shape, for libraries that write and read one value after the other.</summary>
public interface IFields<N>
{
    /// <summary>Hands the fields of <paramref name="value"/> to a writer.</summary>
    void Write<TWriter>(ref TWriter writer, N value)
        where TWriter : struct, IFieldWriter;

    /// <summary>The value whose fields a reader gives.</summary>
    N Read<TReader>(ref TReader reader)
        where TReader : struct, IFieldReader;
}
