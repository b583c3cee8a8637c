// The rows that the shop starts with.

export const tables = `
  CREATE TABLE IF NOT EXISTS articles (
    article text PRIMARY KEY,
    price numeric NOT NULL,
    stock int NOT NULL CHECK (stock >= 0)
  );
  CREATE TABLE IF NOT EXISTS orders (
    id int PRIMARY KEY,
    customer text NOT NULL,
    status text NOT NULL,
    article text NOT NULL REFERENCES articles,
    count int NOT NULL,
    total numeric NOT NULL,
    refunded numeric NOT NULL DEFAULT 0 CHECK (refunded <= total),
    address text NOT NULL,
    gift_card text
  );
  CREATE TABLE IF NOT EXISTS pages (path text PRIMARY KEY, body text NOT NULL);
  CREATE TABLE IF NOT EXISTS conversations (
    id uuid PRIMARY KEY,
    customer json NOT NULL,
    messages json NOT NULL,
    waiting json,
    questions json NOT NULL
  );
  CREATE TABLE IF NOT EXISTS audit (
    id int GENERATED ALWAYS AS IDENTITY,
    customer text NOT NULL,
    tool text NOT NULL,
    ended text NOT NULL
  );
`;

export const exampleRows = `
  INSERT INTO articles VALUES ('teapot', 89.50, 3), ('kettle', 45, 0), ('cup', 7.25, 120);
  INSERT INTO orders (id, customer, status, article, count, total, address) VALUES
    (1001, 'ada', 'delivered', 'teapot', 1, 89.50, 'Rosengasse 4, 8010 Graz'),
    (1002, 'ada', 'paid', 'cup', 6, 43.50, 'Rosengasse 4, 8010 Graz'),
    (1003, 'ada', 'shipped', 'kettle', 1, 45, 'Rosengasse 4, 8010 Graz'),
    (2001, 'bob', 'paid', 'teapot', 2, 179, 'Hafen 1, 20457 Hamburg');
  INSERT INTO pages VALUES
    ('returns.md', 'What was delivered can be sent back within 30 days. Refunds above 50 are looked at by a person.'),
    ('shipping.md', 'The address of an order can be changed until it is shipped.');
`;
