// What every client asks, and the shape of what an adapter hands back of the answer.

export const system = 'You are a harbour desk assistant.';
export const question = 'When is high water at Brest?';
export const messages = [
  { role: 'system', content: system },
  { role: 'user', content: question },
];

const schemaOf = (property) => ({
  type: 'object',
  properties: { [property]: { type: 'string' } },
  required: [property],
  additionalProperties: false,
});

/** The functions that the scripts call, by name: a description and the schema of the arguments. */
export const functions = {
  lookup_tide: { description: 'High and low water of a port', parameters: schemaOf('port') },
  run_shell: { description: 'Runs a command', parameters: schemaOf('command') },
};

export const tools = Object.entries(functions).map(([name, told]) =>
  ({ type: 'function', function: { name, ...told } }));

/** The body of a chat completions request, for clients that are given one. */
export const bodyOf = ({ model, stream }) => ({
  model,
  messages,
  tools,
  ...(stream ? { stream: true, stream_options: { include_usage: true } } : {}),
});

/**
 * Lets `read` fill an answer: text, calls ({ name, arguments as a value }), finish, prompt tokens.
 * What `read` throws becomes the answer's error, behind what had come until then.
 */
export async function answered(read) {
  const got = { text: '', calls: [], finish: undefined, prompt: undefined, error: undefined };
  try {
    await read(got);
  } catch (error) {
    got.error = error;
  }
  return got;
}

/** Takes a whole chat.completion, as the body has it. */
export function takeCompletion(got, body) {
  const [choice] = body.choices;
  got.text = choice.message.content ?? '';
  got.finish = choice.finish_reason;
  got.prompt = body.usage?.prompt_tokens;
  got.calls = (choice.message.tool_calls ?? []).map(({ function: called }) =>
    ({ name: called.name, arguments: JSON.parse(called.arguments) }));
}

/** Takes chat.completion.chunk after chat.completion.chunk; `end` reads the joined arguments. */
export function chunkTaker(got, onText) {
  const calls = [];
  return {
    take(chunk) {
      if (chunk.usage) got.prompt = chunk.usage.prompt_tokens;
      for (const { delta, finish_reason: finish } of chunk.choices) {
        if (finish) got.finish = finish;
        for (const { index, function: called } of delta.tool_calls ?? []) {
          const known = (calls[index] ??= { name: '', json: '' });
          known.name += called.name ?? '';
          known.json += called.arguments ?? '';
        }
        if (delta.content) {
          got.text += delta.content;
          onText?.();
        }
      }
    },
    end() {
      got.calls = calls.map(({ name, json }) => ({ name, arguments: JSON.parse(json) }));
    },
  };
}
