import { canonicalJson } from "../../core/json.ts";

/** One client per distinct set of constructor fields: building one costs more than a call. */
export function memoise<Fields, Client>(
  make: (fields: Fields) => Promise<Client>,
): (fields: Fields) => Promise<Client> {
  const made = new Map<string, Promise<Client>>();
  return (fields) => {
    const key = canonicalJson(fields);
    let client = made.get(key);
    if (client === undefined) {
      client = make(fields);
      made.set(key, client);
    }
    return client;
  };
}

/** Runs a loader at the first call and shares its result: even a repeated `import()` costs a trip through the module loader. */
export function onceOnly<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
