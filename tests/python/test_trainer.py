"""The callback logs to what a Trainer logs to, and changes nothing in the training."""

import models
import pytest
import torch
import transformers

import gpe


class Texts(torch.utils.data.Dataset):
    def __init__(self):
        self.tokens = torch.randint(models.VOCABULARY, (8, 16), generator=torch.Generator().manual_seed(1))

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return {"input_ids": self.tokens[i], "labels": self.tokens[i]}


class Logged(transformers.TrainerCallback):
    def __init__(self):
        self.lines = []

    def on_log(self, args, state, control, logs=None, **kwargs):
        self.lines.append((state.global_step, dict(logs)))


def trained(folder, tokens=None):
    torch.manual_seed(3)
    model = models.MODELS["gpt2"]()
    arguments = transformers.TrainingArguments(
        output_dir=str(folder),
        max_steps=4,
        per_device_train_batch_size=2,
        report_to=[],
        logging_steps=1,
        save_strategy="no",
        use_cpu=True,
        disable_tqdm=True,
        seed=5,
    )
    logged = Logged()
    trainer = transformers.Trainer(model=model, args=arguments, train_dataset=Texts(), callbacks=[logged])
    if tokens is not None:
        trainer.add_callback(gpe.TrainerCallback(trainer, tokens, every=2))
    trainer.train()
    return model, logged.lines


def test_entropies_are_logged_and_the_training_is_the_same(tmp_path):
    tokens = torch.randint(models.VOCABULARY, (24,))
    plain, lines_before = trained(tmp_path / "plain")
    model, lines = trained(tmp_path / "probed", tokens)
    ours = [(step, logs) for step, logs in lines if "gpe/layer_1/head_1/entropy" in logs]
    assert [step for step, _ in ours] == [2, 4]
    assert sum("/entropy" in key for key in ours[0][1]) == 6 and sum("/max_score" in key for key in ours[0][1]) == 6
    report = gpe.probe(model, tokens).to_dict()["heads"][4]["all_rows"]
    assert ours[1][1]["gpe/layer_2/head_2/entropy"] == pytest.approx(report["entropy"]["mean"])
    assert ours[1][1]["gpe/layer_2/head_2/lse"] == pytest.approx(report["log_normalizer"]["mean"])
    assert ours[1][1]["gpe/layer_2/head_2/max_score"] == pytest.approx(report["largest_score"]["max"])
    losses = [[logs["loss"] for _, logs in some if "loss" in logs] for some in (lines_before, lines)]
    assert losses[0] == losses[1] and len(losses[0]) == 4
    assert all(torch.equal(a, b) for a, b in zip(plain.parameters(), model.parameters(), strict=True))
    with pytest.raises(gpe.SpecError, match="at least 1"):
        gpe.TrainerCallback(None, tokens, every=0)
