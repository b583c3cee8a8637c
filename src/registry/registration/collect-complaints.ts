// How are all mistakes of one definition told at once? What each step throws is gathered, and thrown together.
import { type Complaint, DefinitionError } from '../../errors/definition-error.ts';

/** The made value; undefined if making it threw a DefinitionError, whose complaints are then gathered. */
export function collectComplaints<Made>(make: () => Made, complaints: Complaint[]): Made | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    complaints.push(...error.complaints);
    return undefined;
  }
}
