/** The version of the package, as the journal names it. */
export const interpreterVersion = '0.1.0';
