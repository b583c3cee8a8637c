// Where does a judge know a contract's root?

/** Under this address, so that every part of it can be judged on its own. */
export const rootAddress = 'toolmend:arguments';
