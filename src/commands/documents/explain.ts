export async function explain(_folder: string, _command: unknown): Promise<void> {}
