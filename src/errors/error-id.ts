// What stands for an exception that the model is not shown?

/** Short enough to be repeated by a model; looked up in a log beside the call. */
export const newErrorId = (): string => crypto.randomUUID().slice(0, 8);
