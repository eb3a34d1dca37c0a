# check-properties --stack: a model as a whole.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
set(program check-properties)
set(small "\"hidden_size\": 64, \"num_attention_heads\": 4, \"num_key_value_heads\": 2")

# Windows in all layers: 1 + sum of (W - 1) tokens; 8 layers of 2*2*16 numbers and 100 of 1000 keys, 2 bytes each.
file(WRITE "${WORK}/mistral.json" "{\"model_type\": \"mistral\", ${small}, \"num_hidden_layers\": 8, \"sliding_window\": 100, \"max_position_embeddings\": 64}")
expect(COMMAND check-properties mistral.json --stack --context 1000
       OUT "The last output depends on at most 793 tokens" "put nothing beyond distance 792" "if no layer had a window, 1.03 MB"
           "is longer than the context that the config states (64)" "256   2048  16777216")
expect(COMMAND check-properties mistral.json --stack --context 1000 --format json)
value(tokens "${out}" depends_on tokens)
equal("tokens" "${tokens}" 793)
value(bytes "${out}" cache_bytes with_windows)
equal("bytes" "${bytes}" 102400)
value(bytes "${out}" cache_bytes without_windows)
equal("bytes without windows" "${bytes}" 1024000)
value(keys "${out}" kinds 0 windows 0 keys)
equal("keys" "${keys}" 100)

# Batch, formats (one more number of 16 bits for each 32 of int8 and int4), and pages: a window of 100 keys begins
# anywhere in a page of 16, and touches at most 8 of them; without windows 63 pages.
foreach(case "--cache-dtype;fp32|204800" "--cache-dtype;fp8|51200" "--cache-dtype;int8|54400" "--cache-dtype;int4|28800" "--batch;32|3276800"
             "--page;16|131072" "--page;1000|1024000" "--page;4096|4194304")
  string(REPLACE "|" ";" case "${case}")
  list(POP_BACK case expected)
  expect(COMMAND check-properties mistral.json --stack --context 1000 --format json ${case})
  value(bytes "${out}" cache_bytes with_windows)
  equal("bytes of ${case}" "${bytes}" "${expected}")
endforeach()
expect(COMMAND check-properties mistral.json --stack --context 1k --page 16 --batch 2 OUT "A context of 1024 tokens" "all layers of 2 sequences: 263 kB (0.0002442 GiB); if no layer had a window, 2.10 MB (0.001954 GiB)")
refused("--cache-dtype int3: expected one of bf16, fp16, fp32, fp8, int8, int4" mistral.json --stack --cache-dtype int3)
foreach(context 1 0 -4 1.5 k 1G 17M 99999999999999999999)
  refused("--context ${context}: expected tokens from 2 to 16777216, as 131072 or 128k" mistral.json --stack --context ${context})
endforeach()

# One layer without a window: no bound; the context is that of the config.
file(WRITE "${WORK}/gemma.json" "{\"model_type\": \"gemma2\", ${small}, \"num_hidden_layers\": 4, \"sliding_window\": 100, \"max_position_embeddings\": 512}")
expect(COMMAND check-properties gemma.json --stack OUT "every token: gemma2-full has no window" "A context of 512 tokens")

# Chunks share their borders, and sinks of recurrent layers and convolutions are named.
file(WRITE "${WORK}/chunks.json" "{\"model_type\": \"llama4_text\", \"num_hidden_layers\": 3, \"attention_chunk_size\": 512}")
expect(COMMAND check-properties chunks.json --stack --context 2048 OUT "at most 512 tokens" "chunks of 512")
expect(COMMAND check-properties chunks.json --stack --context 2048 --page 64 OUT "at most 512 tokens" "  512 ")
file(WRITE "${WORK}/recurrent.json" "{\"model_type\": \"recurrent_gemma\", \"num_hidden_layers\": 3}")
expect(COMMAND check-properties recurrent.json --stack --context 64 OUT "layers without softmax attention mix tokens in their own way")
file(WRITE "${WORK}/beside.json" "{\"model_type\": \"falcon_h1\", \"num_hidden_layers\": 2}")
expect(COMMAND check-properties beside.json --stack --context 64 OUT "falcon_h1 mixes tokens beside its attention")

# Heads with slopes of their own: log(1/(1 - r)) - r log(r)/(1 - r), r = e^-m, m from 1/4 to 1/256.
file(WRITE "${WORK}/slopes.json" "{\"model_type\": \"bloom\", \"hidden_size\": 64, \"n_head\": 4, \"n_layer\": 2}")
expect(COMMAND check-properties slopes.json --stack --context 1000 OUT "bloom                     bounded: 2.3888 to 6.5452   2.3888 to 6.4447")

# Windows for epsilon where slopes fall fast enough: a bound of mass.
file(WRITE "${WORK}/bloom.json" "{\"model_type\": \"bloom\", \"hidden_size\": 64, \"n_head\": 2, \"n_layer\": 2}")
expect(COMMAND check-properties bloom.json --stack --context 100000 --epsilon 1/100 --format json)
value(mass "${out}" mass_beyond 0 mass upper)
equal("mass" "${mass}" "0.019900001")
value(bias "${out}" kinds 0 formats bf16 position)
equal("positions in bf16" "${bias}" 256)

# The latent is what a cache keeps; layers that share keys keep none.
file(WRITE "${WORK}/latent.json" "{\"model_type\": \"deepseek_v3\", \"num_hidden_layers\": 1, \"kv_lora_rank\": 512, \"qk_rope_head_dim\": 64}")
expect(COMMAND check-properties latent.json --stack --context 64 --format json)
value(numbers "${out}" kinds 0 cache numbers)
equal("numbers of a latent" "${numbers}" 576)
file(WRITE "${WORK}/shared.json" "{\"model_type\": \"gemma3n_text\", \"num_hidden_layers\": 10, \"num_kv_shared_layers\": 4}")
expect(COMMAND check-properties shared.json --stack --context 64 --format json)
value(layers "${out}" kinds 0 cache layers)
string(REGEX REPLACE "[ \n]" "" layers "${layers}")
equal("layers that keep their keys" "${layers}" "[1,2,3,4,6]")

# The base of RoPE: 4,293 fails and 4,294 does not (docs/audit.md).
file(WRITE "${WORK}/wide.json" "{\"model_type\": \"llama\", \"hidden_size\": 256, \"num_attention_heads\": 2, \"num_hidden_layers\": 1, \"rope_theta\": 4293}")
expect(COMMAND check-properties wide.json --stack --context 1024 OUT "1009 " "1023         none up to 4293.437 suffices, 4293.438 does")

refused("--stack: expected one config.json, or the folder that holds it" alibi --stack)
refused("--stack: expected one config.json, or the folder that holds it" mistral.json gemma.json --stack)
refused("--stack: expected text or JSON, and not csv" mistral.json --stack --format csv)
refused("--stack: expected text or JSON, and not markdown" mistral.json --stack --output stack.md)
refused("--context: bloom.json states none" bloom.json --stack)
