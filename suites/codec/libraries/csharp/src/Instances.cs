using System.Text.Json.Nodes;

namespace Codec;

/// <summary>The native values of a step.</summary>
/// <param name="Values">Those that loops work on.</param>
/// <param name="Twins">The same values but for one field each.</param>
/// <param name="Wanted">The values once more, which nobody changes.</param>
/// <param name="WantedTwins">The twins once more, which nobody changes.</param>
internal sealed record Instances<N>(N[] Values, N[] Twins, N[] Wanted, N[] WantedTwins)
{
    /// <summary>Action that has each value swap what it holds with its twin.</summary>
    public Action Swap => ContentSwap.Between(Values, Twins);

    /// <summary>The look at a native value: folds see only the ends of texts, comparing sees all.</summary>
    public static uint Look<TShape>(N value, N wanted)
        where TShape : struct, IShape<N> => default(TShape).Fold(value) + Differs<TShape>(value, wanted);

    /// <summary>1 where a native value is not the wanted one.</summary>
    public static uint Differs<TShape>(N value, N wanted)
        where TShape : struct, IShape<N> =>
        JsonNode.DeepEquals(default(TShape).Written(value), default(TShape).Written(wanted)) ? 0u : 1u;
}
