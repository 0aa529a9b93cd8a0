// Generates models from an AsyncAPI document. Modelina reports no error for a document that it cannot read, so the models are counted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { JavaGenerator, TypeScriptGenerator } from '@asyncapi/modelina';

const document = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const generator of [new TypeScriptGenerator(), new JavaGenerator()]) {
  const models = await generator.generate(document);
  const names = models.map(({ modelName }) => modelName);
  assert.ok(names.length > Object.keys(document.components.messages).length, names.join());
  assert.ok(names.includes('ExperienceConnectionCreated'), names.join());
}
